const PASSWORD_MIN = 12
const PASSWORD_MAX = 128
const ENTROPY_MIN = 40
const OVERALL_MIN = 60

const commonPasswords = new Set(
  (
    'password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword 123456 1234567 12345678 ' +
    '123456789 1234567890 12345 qwerty qwerty123 qwertyuiop abc123 abcd1234 letmein letmein123 welcome welcome1 ' +
    'welcome123 admin admin123 administrator iloveyou monkey dragon football baseball basketball sunshine princess ' +
    'master superman batman trustno1 shadow michael jordan23 starwars freedom whatever computer internet secret ' +
    'secret123 changeme changeme123 default student teacher school college university instructor summer winter ' +
    'spring autumn january february october november december hello123 charlie donald flower cheese access ' +
    'mustang pokemon samsung google facebook asdfgh asdfghjkl zxcvbnm 1q2w3e4r 1qaz2wsx qazwsx 111111 000000 ' +
    '123123 654321 987654321 987654 696969 555555 7777777 liverpool chelsea arsenal matrix killer hunter ranger'
  ).split(' '),
)
const commonWords = [...commonPasswords].filter((word) => word.length >= 6)

const keyboardRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', '1qaz2wsx3edc', 'azertyuiop']
const alphabets = ['abcdefghijklmnopqrstuvwxyz', '0123456789']

function containsSequence(password: string, rows: string[], length: number): boolean {
  const text = password.toLowerCase()
  return rows.some((row) => {
    const back = [...row].reverse().join('')
    for (let i = 0; i + length <= row.length; i++) {
      if (text.includes(row.slice(i, i + length)) || text.includes(back.slice(i, i + length))) return true
    }
    return false
  })
}

/** Bits: length × log2 of the alphabet in use; a repeated character counts half. */
function entropyBits(password: string): number {
  if (password === '') return 0
  let pool = 0
  if (/[a-z]/.test(password)) pool += 26
  if (/[A-Z]/.test(password)) pool += 26
  if (/\d/.test(password)) pool += 10
  if (/[^A-Za-z0-9]/.test(password)) pool += 33
  const distinct = new Set(password).size
  const effective = distinct + (password.length - distinct) / 2
  return Math.round(effective * Math.log2(Math.max(pool, 2)) * 10) / 10
}

function levelOf(overall: number): 'very_weak' | 'weak' | 'fair' | 'good' | 'strong' | 'very_strong' {
  if (overall < 40) return 'very_weak'
  if (overall < 60) return 'weak'
  if (overall < 70) return 'fair'
  if (overall < 80) return 'good'
  return overall < 90 ? 'strong' : 'very_strong'
}

/** The specification's point 5: length, kinds of character, entropy, penalties for common passwords. 0..100. */
export function evaluatePassword(password: string) {
  const lower = password.toLowerCase()
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length
  const bits = entropyBits(password)
  const isCommon = commonPasswords.has(lower)
  const holdsCommon = !isCommon && commonWords.some((word) => lower.includes(word))
  const sequential = containsSequence(password, alphabets, 4)
  const repeated = /(.)\1{2,}/u.test(password)
  const keyboard = containsSequence(password, keyboardRows, 4)

  const breakdown = {
    length: Math.min(100, Math.round((password.length / 16) * 100)),
    complexity: kinds * 25,
    uniqueness: password === '' ? 0 : Math.round((new Set(password).size / password.length) * 100),
    patterns: Math.max(0, 100 - 34 * [sequential, repeated, keyboard].filter(Boolean).length),
    entropy: Math.min(100, Math.round((bits / 80) * 100)),
  }
  const base =
    breakdown.length * 0.25 +
    breakdown.complexity * 0.25 +
    breakdown.uniqueness * 0.15 +
    breakdown.patterns * 0.1 +
    breakdown.entropy * 0.25
  const penalty =
    (isCommon ? 50 : 0) + (holdsCommon ? 30 : 0) + [sequential, repeated, keyboard].filter(Boolean).length * 15
  const overall = password === '' ? 0 : Math.max(0, Math.min(100, Math.round(base - penalty)))

  const must = (what: string, met: boolean, critical = true) => ({ text: `Password must ${what}`, met, critical })
  const requirements = [
    must(`be at least ${PASSWORD_MIN} characters`, password.length >= PASSWORD_MIN),
    must(`not exceed ${PASSWORD_MAX} characters`, password.length <= PASSWORD_MAX),
    must('contain a lowercase letter', /[a-z]/.test(password)),
    must('contain an uppercase letter', /[A-Z]/.test(password)),
    must('contain a number', /\d/.test(password)),
    must('contain a special character', /[^A-Za-z0-9]/.test(password)),
    must('be harder to guess', bits >= ENTROPY_MIN, false),
  ]
  const suggestions = [
    isCommon || holdsCommon ? 'Avoid common words and passwords.' : null,
    sequential ? 'Avoid sequences such as abcd or 1234.' : null,
    repeated ? 'Avoid repeating a character.' : null,
    keyboard ? 'Avoid keyboard rows such as qwerty.' : null,
    password.length < 16 ? 'A longer password is stronger: several unrelated words work well.' : null,
  ].filter((suggestion) => suggestion !== null)

  return {
    valid: requirements.every((requirement) => requirement.met) && overall >= OVERALL_MIN,
    overall,
    breakdown,
    level: levelOf(overall),
    requirements,
    suggestions,
    entropyBits: bits,
  }
}

export function registrationPasswordProblem(password: string): string | null {
  if (password === '') return 'Password is required'
  const check = evaluatePassword(password)
  const failing = check.requirements.find((requirement) => !requirement.met)
  if (failing) return failing.text
  return check.valid ? null : 'Password does not meet security requirements'
}

/** A new password needs three of five points. */
const NEW_PASSWORD_MIN = 8
const NEW_PASSWORD_POINTS = 3

export function passwordCriteria(password: string): { text: string; met: boolean }[] {
  return [
    { text: `At least ${NEW_PASSWORD_MIN} characters`, met: password.length >= NEW_PASSWORD_MIN },
    { text: 'An uppercase letter', met: /[A-Z]/.test(password) },
    { text: 'A lowercase letter', met: /[a-z]/.test(password) },
    { text: 'A number', met: /\d/.test(password) },
    { text: 'A symbol', met: /[^A-Za-z0-9]/.test(password) },
  ]
}

export function passwordStrength(password: string): number {
  return passwordCriteria(password).filter(({ met }) => met).length
}

export function newPasswordProblem(password: string, what = 'Password'): string | null {
  if (password === '') return `${what} is required`
  if (password.length < NEW_PASSWORD_MIN) return `Password must be at least ${NEW_PASSWORD_MIN} characters`
  if (password.length > PASSWORD_MAX) return `Password must not exceed ${PASSWORD_MAX} characters`
  return passwordStrength(password) >= NEW_PASSWORD_POINTS
    ? null
    : 'Password is too weak. Please use a stronger password.'
}
