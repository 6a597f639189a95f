import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EmailAddress, emailProblem } from './email.ts'
import { evaluatePassword, newPasswordProblem, passwordStrength, registrationPasswordProblem } from './password.ts'

const of = (letters: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: min, maxLength: max })
const ALNUM = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

const local = fc
  .array(of(ALNUM, 1, 8), { minLength: 1, maxLength: 5 })
  .chain((words) => fc.constantFrom('.', '-', '_', '+').map((between) => words.join(between)))
const domain = fc
  .tuple(fc.array(of(ALNUM, 1, 10), { minLength: 1, maxLength: 4 }), of('abcdefghij', 2, 6))
  .map(([labels, last]) => [...labels, last].join('.'))
const address = fc.tuple(local, domain).map(([before, after]) => `${before}@${after}`)

describe('the rule for addresses', () => {
  it('accepts every plain address, with or without spaces around, and trims it', () => {
    fc.assert(
      fc.property(address, of(' ', 0, 3), (email, space) => {
        expect(emailProblem(email)).toBeNull()
        expect(EmailAddress.parse(`${space}${email}${space}`)).toBe(email)
      }),
    )
  })

  it.each(['union', 'select', 'insert', 'update', 'delete', 'drop', 'exec', 'eval'])(
    'takes an address with “%s” in it, which is a word like any other',
    (word) => {
      expect(emailProblem(`info@${word}.edu`)).toBeNull()
      expect(emailProblem(`${word}@school.example`)).toBeNull()
    },
  )

  const marks = ['<', '>', '"', "'", ';', '`', '--', '/*', '${', '{{', '%3C', '\u0000', '\u200b', '../']
  it('rejects the characters of an injection at any position', () => {
    fc.assert(
      fc.property(address, fc.constantFrom(...marks), fc.nat(), (email, mark, at) => {
        const where = 1 + (at % (email.length - 1))
        const problem = emailProblem(email.slice(0, where) + mark + email.slice(where))
        expect(problem).toBe('Invalid email format - contains prohibited characters')
      }),
    )
  })

  it('never throws, and what it accepts has one @, a dotted domain, no spaces and 254 characters at most', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 80 })), (text) => {
        if (emailProblem(text) !== null) return
        const email = text.trim()
        expect(email).toMatch(/^[^\s@]+@[^\s@]+\.[A-Za-z]{2,63}$/)
        expect(email.length).toBeLessThanOrEqual(254)
      }),
    )
  })

  it('says which part is too long', () => {
    fc.assert(
      fc.property(of(ALNUM, 65, 200), (before) => {
        expect(emailProblem(`${before}@school.example`)).toBe('Email local part too long')
      }),
    )
    expect(emailProblem(`a@${'b'.repeat(250)}.example`)).toBe('Email address too long')
  })
})

describe('the strength of passwords', () => {
  const anything = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    of(`${ALNUM}!?-_ .`, 6, 135),
  )

  it('stays within its scales, and is consistent', () => {
    fc.assert(
      fc.property(anything, (password) => {
        const check = evaluatePassword(password)
        expect(check.overall).toBeGreaterThanOrEqual(0)
        expect(check.overall).toBeLessThanOrEqual(100)
        for (const part of Object.values(check.breakdown)) expect(part).toBeLessThanOrEqual(100)
        expect(check.valid).toBe(registrationPasswordProblem(password) === null)
        const levels = { very_weak: 40, weak: 60, fair: 70, good: 80, strong: 90, very_strong: 101 }
        expect(check.overall).toBeLessThan(levels[check.level])
      }),
    )
  })

  it('rejects passwords that are short, long, or lack a kind of character', () => {
    fc.assert(
      fc.property(anything, (password) => {
        if (registrationPasswordProblem(password) !== null) return
        expect(password.length).toBeGreaterThanOrEqual(12)
        expect(password.length).toBeLessThanOrEqual(128)
        for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/]) expect(password).toMatch(kind)
      }),
    )
  })

  it('accepts a new password exactly when it is 8 to 128 long and has three of the five points', () => {
    fc.assert(
      fc.property(anything, (password) => {
        const right = password.length >= 8 && password.length <= 128 && passwordStrength(password) >= 3
        expect(newPasswordProblem(password) === null).toBe(right)
      }),
    )
  })

  it('never decreases with another character', () => {
    fc.assert(
      fc.property(anything, fc.string({ minLength: 1, maxLength: 1 }), (password, more) => {
        expect(passwordStrength(password + more)).toBeGreaterThanOrEqual(passwordStrength(password))
      }),
    )
  })
})
