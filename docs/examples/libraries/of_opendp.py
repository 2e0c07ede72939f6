"""OpenDP: measurements as its constructors make them; each says what it promises by its map."""

import opendp.prelude as dp

from pac_stability.audit.black_box import measurement

dp.enable_features("contrib", "honest-but-curious")

# Each has map(1) = 1, but the first, of which it is ln 3.
response = measurement(
    dp.m.make_randomized_response_bool(prob=0.75), takes=lambda rows: bool(rows[0])
)
number = dp.atom_domain(T=int), dp.absolute_distance(T=int)
laplace = measurement(number >> dp.m.then_laplace(scale=1.0), takes=sum)
answers = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
noisy_max = measurement(answers >> dp.m.then_noisy_max(dp.max_divergence(), scale=2.0))

# Its map(1) is (1, 0.00492...): a key is released if its noisy count is at least 5.
keys = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
counts = dp.t.make_count_by(*keys) >> dp.m.then_laplace_threshold(scale=1.0, threshold=5)
threshold = measurement(counts)
