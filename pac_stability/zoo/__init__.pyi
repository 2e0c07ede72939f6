from pac_stability.zoo import algorithms as algorithms, museum as museum
from pac_stability.zoo.collection import (
    all as all,  # noqa: A004  # zoo.all()
    get as get,
    to_dict as to_dict,
)
from pac_stability.zoo.specimens import (
    LearnerSpecimen as LearnerSpecimen,
    Specimen as Specimen,
    learners as learners,
)
