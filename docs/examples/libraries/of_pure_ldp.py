"""pure-ldp: what a client sends of one person's value, one of four, at epsilon = 3."""

from pure_ldp.frequency_oracles import (
    CMSClient,
    DEClient,
    FastLHClient,
    HadamardMechClient,
    HadamardResponseServer,
    HadamardResponseClient,
    HEClient,
    LHClient,
    RAPPORClient,
    UEClient,
)

from pac_stability.audit.black_box import measurement


def client(kind, **more):
    made = kind(epsilon=3, d=4, index_mapper=int, **more)
    return measurement(made.privatise, takes=lambda rows: rows[0])


direct = client(DEClient)
unary = client(UEClient)
optimised_unary = client(UEClient, use_oue=True)
histogram = client(HEClient)
local_hash = client(LHClient)
fast = client(FastLHClient, k=10)
