"""pure-ldp: what a client sends of one person's value, at epsilon = 3."""

from hashlib import sha256

from pure_ldp.frequency_oracles import DEClient, FastLHClient, HEClient, RAPPORClient, UEClient

from pac_stability.audit.black_box import measurement


def client(kind, **more):
    """Return what a client of some kind sends of one of four values."""
    made = kind(epsilon=3, d=4, index_mapper=int, **more)
    return measurement(made.privatise, takes=lambda rows: rows[0])


def place_of(cohort, value):
    """Return where a value is in the Bloom filter of a cohort."""
    return int(sha256(f"{cohort} {value}".encode()).hexdigest(), 16) % 8


direct = client(DEClient)
unary = client(UEClient)
optimised = client(UEClient, use_oue=True)
histogram = client(HEClient)
hashed = client(FastLHClient, k=5)

# Its convert_f_to_eps(1/2, 1) is 2 ln 3.
reporter = RAPPORClient(
    f=0.5, m=8, num_of_cohorts=1, hash_funcs=[[lambda value: place_of(0, value)]], index_mapper=int
)
rappor = measurement(reporter.privatise, takes=lambda rows: rows[0])
