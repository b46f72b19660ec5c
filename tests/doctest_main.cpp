// The main function of every test program.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN

// doctest's Approx(x).epsilon(e) allows e (1 + |x|): of numbers well below 1 it asserts nothing. Ours allows e |x|. The macro
// replaces the 1 where Approx is made, by so little that only 0 equals 0. What may be about 0 says in which unit: .scale(unit).
#define m_scale(one) m_scale(1e-200)
#include <doctest/doctest.h>
