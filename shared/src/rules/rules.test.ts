import { describe, expect, it } from 'vitest'
import { overallPercent, percentFromPoints, unscoredPoints } from './criterion-points.ts'
import { EmailAddress, emailProblem } from './email.ts'
import { gradeBand, letterGrade, performanceMessage } from './letter-grades.ts'
import { evaluatePassword, registrationPasswordProblem } from './password.ts'
import { lineOfText, Username } from './text.ts'

describe('an e-mail address', () => {
  it.each([
    ['', 'Email is required'],
    ['   ', 'Email cannot be empty'],
    [`${'a'.repeat(250)}@x.org`, 'Email address too long'],
    [`${'a'.repeat(65)}@x.org`, 'Email local part too long'],
    ['plain', 'Please enter a valid email address'],
    ['a@b', 'Please enter a valid email address'],
    ['.a@b.org', 'Please enter a valid email address'],
    ['a..b@x.org', 'Please enter a valid email address'],
    ['a@x..org', 'Invalid email domain format'],
    ['a@.x.org', 'Invalid email domain format'],
    ['a@x.org.', 'Invalid email domain format'],
    ['<b>a</b>@x.org', 'Invalid email format - contains prohibited characters'],
    ['javascript:alert@x.org', 'Invalid email format - contains prohibited characters'],
    ["a'or'1@x.org", 'Invalid email format - contains prohibited characters'],
    ['a;drop@x.org', 'Invalid email format - contains prohibited characters'],
    ['a--b@x.org', 'Invalid email format - contains prohibited characters'],
    ['../a@x.org', 'Invalid email format - contains prohibited characters'],
    [`\${a}@x.org`, 'Invalid email format - contains prohibited characters'],
    ['%41@x.org', 'Invalid email format - contains prohibited characters'],
    ['a\u200bb@x.org', 'Invalid email format - contains prohibited characters'],
  ])('%j is refused: %s', (email, message) => {
    expect(emailProblem(email)).toBe(message)
  })

  it.each(['ada@x.org', 'info@union.edu', 'executive@x.org', 'select.dropout@update.io', 'a+b_c@sub.school.example'])(
    '%s passes',
    (email) => {
      expect(emailProblem(email)).toBeNull()
    },
  )

  it('is trimmed', () => {
    expect(EmailAddress.parse('  ada@x.org ')).toBe('ada@x.org')
  })
})

describe('a new password', () => {
  it.each([
    ['', 'Password is required'],
    ['Short-1', 'Password must be at least 12 characters'],
    [`Aa1-${'x'.repeat(130)}`, 'Password must not exceed 128 characters'],
    ['ALL-UPPER-CASE-1', 'Password must contain a lowercase letter'],
    ['all-lower-case-1', 'Password must contain an uppercase letter'],
    ['No-Digits-In-Here', 'Password must contain a number'],
    ['NoSpecials12Here', 'Password must contain a special character'],
    ['Password1234!', 'Password does not meet security requirements'],
    ['Aaaa1234qwer!', 'Password does not meet security requirements'],
  ])('%j is refused: %s', (password, message) => {
    expect(registrationPasswordProblem(password)).toBe(message)
  })

  it.each(['Correct-Horse-7-Battery', 'x9$Kp2!vLq8@', 'Some-Good-7-Phrase'])('%s passes', (password) => {
    expect(registrationPasswordProblem(password)).toBeNull()
  })

  it('is weaker when it is common', () => {
    const strong = evaluatePassword('tR7#mK2$wN9!').overall
    for (const password of ['qwertyuiopA1!', 'Abcdefgh1234!', 'Baseball2024!', 'aaaaBBBB1111!'])
      expect(evaluatePassword(password).overall).toBeLessThan(strong)
    expect(evaluatePassword('password')).toMatchObject({ level: 'very_weak', valid: false })
  })
})

describe('a name', () => {
  it.each(['ad\u200bmin', 'a\u202ebc', 'a\u0000bc', 'two words', 'ab', '@ada', "o'neill", '.ada'])(
    'as username %j is refused',
    (name) => {
      expect(Username.safeParse(name).success).toBe(false)
    },
  )

  it('is the same name in every Unicode form', () => {
    expect(Username.parse('ａｄａ\u0041\u0301')).toBe(Username.parse('ada\u00c1'))
    expect(Username.parse(' Ada_L-1.b ')).toBe('Ada_L-1.b')
  })

  it('of a person or a course may have any visible characters', () => {
    const Name = lineOfText('Course name', 20)
    expect(Name.parse(' Física 1 — 数学 ')).toBe('Física 1 — 数学')
    for (const name of ['a\u202eb', 'a\u0000', 'a\ud800', 'x'.repeat(21)])
      expect(Name.safeParse(name).success).toBe(false)
  })
})

describe('points with some not given', () => {
  const criteria = [
    { criterion_id: 'a', score: 3, max_score: 4 },
    { criterion_id: 'b', score: null, max_score: 6 },
  ]

  it('come to a percentage of the criteria that have some, and to none where none has', () => {
    expect(overallPercent(criteria)).toBe(75)
    expect(overallPercent(criteria.slice(1))).toBeNull()
    const left = (max_score: number) => ({ criterion_id: 'c', score: null, max_score })
    const scored = { criterion_id: 'd', score: 1, max_score: 2 }
    expect(overallPercent([scored, left(10)])).toBe(50)
    expect(overallPercent([scored, left(11)])).toBeNull()
    expect(overallPercent([])).toBeNull()
    expect(percentFromPoints({ b: 6 }, criteria)).toBe(90)
    expect(percentFromPoints({ a: 1 }, criteria)).toBe(25)
    expect(percentFromPoints({}, criteria)).toBeNull()
  })

  it('are left to give where neither the AI nor the teacher has given any', () => {
    expect(unscoredPoints(criteria)).toBe(6)
    expect(unscoredPoints(criteria, { a: 1 })).toBe(6)
    expect(unscoredPoints(criteria, { b: 0 })).toBe(0)
  })
})

describe('a score in percent', () => {
  it.each([
    [100, 'A+'],
    [97, 'A+'],
    [96.9, 'A'],
    [90, 'A-'],
    [88.5, 'B+'],
    [83, 'B'],
    [70, 'C-'],
    [67, 'D+'],
    [65, 'D'],
    [64.9, 'F'],
    [0, 'F'],
    [null, 'N/A'],
  ])('%s is %s', (score, letter) => {
    expect(letterGrade(score)).toBe(letter)
  })

  it('has a band and a word for the student', () => {
    expect([90, 80, 70, 69.9, null].map(gradeBand)).toEqual([
      'excellent',
      'good',
      'satisfactory',
      'needsWork',
      'incomplete',
    ])
    expect([100, 90, 80, 70, 69.9].map(performanceMessage)).toEqual([
      'Excellent work! Keep it up!',
      'Excellent work! Keep it up!',
      'Great performance!',
      'Good work! Room for improvement',
      'Consider reaching out for additional support',
    ])
    expect(performanceMessage(null)).toBe('Complete assignments to see your performance')
  })
})
