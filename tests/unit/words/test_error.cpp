// An error says what is wrong with which item, how much was needed and how much is there; the words have
// places for these numbers.
#include <unity.h>

#include <cmath>
#include <cstring>

#include "tactus/sentence.hpp"

using namespace tactus;

namespace {

void every_error_has_a_sentence_of_its_own() {
  for (int i = 0; i < static_cast<int>(What::end); ++i) {
    const char* const one = sentence(static_cast<What>(i));
    TEST_ASSERT_TRUE_MESSAGE(std::strlen(one) > 10 && one[std::strlen(one) - 1] == '.', one);
    for (int j = 0; j < i; ++j)
      TEST_ASSERT_TRUE_MESSAGE(std::strcmp(one, sentence(static_cast<What>(j))) != 0, one);
  }
  TEST_ASSERT_EQUAL_STRING("Unknown error.", sentence(What::end));
  TEST_ASSERT_EQUAL_STRING("Unknown error.", sentence(static_cast<What>(255)));
}

void nothing_wrong_is_no_error() {
  TEST_ASSERT_FALSE(Error{});
  TEST_ASSERT_TRUE(Error(What::step));
  TEST_ASSERT_TRUE(Error(What::step) == What::step);
}

void the_numbers_have_their_places() {
  const Error error{What::contact_capacity, 5, 6, 4};
  TEST_ASSERT_EQUAL_STRING("More contacts than this world was compiled for: contact 5, 6 needed, 4 there.",
                           Sentence(error).text());
  TEST_ASSERT_EQUAL_STRING("contacts", list_of(error.what));
  TEST_ASSERT_EQUAL_STRING("More contacts than this world was compiled for: contact 7, 6 needed, 4 there.",
                           Sentence(error.of(7)).text());
}

// What stands in brackets is for errors with an index.
void an_item_is_named_where_there_is_one() {
  const Error sides{What::too_few_sides, -1, 3, 2};
  TEST_ASSERT_EQUAL_STRING("A polygon needs at least 3 sides, not 2.", Sentence(sides).text());
  TEST_ASSERT_EQUAL_STRING("A polygon needs at least 3 sides, not 2: body 0.", Sentence(sides.of(0)).text());
}

void numbers_are_written_as_one_reads_them() {
  const struct {
    float x;
    const char* text;
  } rows[] = {{0, "0"},
              {1, "1"},
              {-12, "-12"},
              {9999999, "9999999"},
              {0.05F, "0.05"},
              {-0.5F, "-0.5"},
              {1.3089969F, "1.309"},
              {62.5F, "62.5"},
              {1000.25F, "1000.25"},
              {0.000123F, "0.000123"},
              {1e-9F, "1e-9"},
              {1.5e-5F, "1.5e-5"},
              {9.9999999e-5F, "0.0001"},
              {1e7F, "1e7"},
              {2.5e10F, "2.5e10"},
              {3.40282347e38F, "3.40282e38"},
              {999999.9F, "1000000"},
              {NAN, "NaN"},
              {HUGE_VALF, "infinity"},
              {-HUGE_VALF, "-infinity"}};
  for (const auto& row : rows) {
    const Sentence said(Error{What::mode, -1, 0, row.x});
    char text[64] = "The mode is unknown: ";
    std::strcat(std::strcat(text, row.text), ".");
    TEST_ASSERT_EQUAL_STRING(text, said.text());
  }
}

// With the longest numbers each fits, so that none is cut; a message has room for it (messages.proto).
void every_sentence_fits() {
  for (int i = 0; i < static_cast<int>(What::end); ++i) {
    const Sentence said(Error{static_cast<What>(i), 9999999, -1.23456e-30F, -1.23456e-30F});
    TEST_ASSERT_LESS_THAN_size_t(190, std::strlen(said.text()));
    TEST_ASSERT_EQUAL_CHAR('.', said.text()[std::strlen(said.text()) - 1]);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(every_error_has_a_sentence_of_its_own);
  RUN_TEST(nothing_wrong_is_no_error);
  RUN_TEST(the_numbers_have_their_places);
  RUN_TEST(an_item_is_named_where_there_is_one);
  RUN_TEST(numbers_are_written_as_one_reads_them);
  RUN_TEST(every_sentence_fits);
  return UNITY_END();
}
