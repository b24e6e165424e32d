import { describe, expect, test } from 'bun:test'
import { isKnownSequence } from '../../../server/settings/known-sequences'
import { getRefusal, production } from './environments'

describe('six digits that people choose', () => {
  test.each([
    [
      'keys in a row or column',
      '147258 147852 147896 258456 369258 456852 741852 789456 852963 963258 987456',
    ],
    ['keys in another order', '123654 321654 456123 654123 789123 789654 852456 963852'],
    ['the diagonals of a keypad', '159357 159753 357159 753159 741258'],
    ['dates and famous numbers', '010203 102030 112358 142536 142857 161803 192837 271828 314159'],
    ['steps', '246813'],
    ['the same step throughout', '123456 012345 890123 975319 864208 098765'],
    ['a block that repeats', '777777 575757 473473'],
    ['pairs', '447799 220055'],
    ['the same backwards', '473374 180081'],
    ['three different digits or fewer', '115513 900199 300020'],
  ])('%s', (_, digits) => {
    expect(digits.split(' ').filter(each => !isKnownSequence(each))).toEqual([])
  })

  test('others are not among them', () => {
    const others = ['192834', '473375', '447798', '473475', '115612', '123459', '271829', '864207']
    expect(others.filter(isKnownSequence)).toEqual([])
  })
})

const WORDS =
  'secret password passwd ChangeMe change-me example Kiraya qwerty letmein default 12345678 abcdefgh deadbeef'

test.each(WORDS.split(' '))('a secret with %s is refused in production, however long', word => {
  const random = 'Zk3vQ8mXr5TbN1wLp7HsYd9GcJ2fUe6A'
  expect(getRefusal({ ...production, JWT_SECRET: random + word })).toBe(
    'JWT_SECRET must be random in production, as from openssl rand -base64 48: this one is well known or too regular',
  )
})

const PART = 'Zk3vQ8mXr5TbN1w'

test.each([
  [14, 'refused', 'JWT_SECRET must be random'],
  [15, 'accepted', 'none'],
])('a secret of 40 characters that repeats %d of them is %s in production', (length, _, refusal) => {
  const secret = PART.slice(0, length).repeat(3).slice(0, 40)
  expect(getRefusal({ ...production, JWT_SECRET: secret })).toStartWith(refusal)
})
