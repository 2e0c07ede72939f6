# Numbers of several limbs of 64 bits, the lowest first.

cdef extern from *:
    """
    typedef unsigned __int128 pac_two_limbs;
    /* The number of limbs up to the last one that is not 0. */
    static inline size_t pac_used(const uint64_t *number, size_t width) {
        while (width && !number[width - 1]) width--;
        return width;
    }
    /* into += number * factor.  What does not fit into `width` limbs is lost. */
    static inline void pac_add_product(
        uint64_t *into, size_t width, const uint64_t *number, size_t count, uint64_t factor
    ) {
        uint64_t carry = 0;
        size_t i = 0;
        if (count > width) count = width;
        for (; i < count; i++) {
            const pac_two_limbs sum = (pac_two_limbs)number[i] * factor + into[i] + carry;
            into[i] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        for (; carry && i < width; i++) {
            into[i] += carry;
            carry = into[i] < carry;
        }
    }
    /* number *= factor, likewise. */
    static inline void pac_scale(uint64_t *number, size_t width, uint64_t factor) {
        const size_t count = pac_used(number, width);
        uint64_t carry = 0;
        size_t i = 0;
        for (; i < count; i++) {
            const pac_two_limbs product = (pac_two_limbs)number[i] * factor + carry;
            number[i] = (uint64_t)product;
            carry = (uint64_t)(product >> 64);
        }
        if (carry && i < width) number[i] = carry;
    }
    """
    size_t used "pac_used"(const uint64_t* number, size_t width) noexcept nogil
    void add_product "pac_add_product"(
        uint64_t* into, size_t width, const uint64_t* number, size_t count, uint64_t factor
    ) noexcept nogil
    void scale "pac_scale"(uint64_t* number, size_t width, uint64_t factor) noexcept nogil


cdef inline void add_long_product(
    uint64_t* into, size_t width, const uint64_t* one, size_t count, const uint64_t* other,
    size_t other_count,
) noexcept nogil:
    """into += one * other, likewise."""
    cdef size_t i
    for i in range(min(other_count, width)):
        add_product(into + i, width - i, one, count, other[i])


cdef bint more(const uint64_t* one, const uint64_t* other, int64_t limbs) noexcept nogil:
    cdef int64_t i
    for i in range(limbs - 1, -1, -1):
        if one[i] != other[i]:
            return one[i] > other[i]
    return False
