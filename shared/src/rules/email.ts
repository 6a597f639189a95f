import { z } from 'zod'

const ADDRESS = /^[A-Za-z0-9.!#$%&*+/=?^_{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\.[A-Za-z]{2,63}$/
const SQL_WORD = /\b(?:union|select|insert|update|delete|drop|exec|eval)\b/i
const INJECTION_MARK = /["'`;]|--|\/\*|\*\//

const prohibited: RegExp[] = [
  /<[^>]*>|[<>]/, // markup
  /(?:javascript|vbscript|data)\s*:/i, // script schemes
  /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|[nrt0])/i, // escape sequences
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is being refused
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060\ufeff]/, // control and zero-width
  INJECTION_MARK, // quotes, statement ends, comment marks
  /\.\.[/\\]/, // path traversal
  /\$\{|\{\{|\}\}|<%|%>/, // template expressions
  /%[0-9a-f]{2}/i, // percent-encoded
]

/** SQL words are refused only beside an injection's marks, so that `info@union.edu` passes. */
export function emailProblem(input: string | null | undefined): string | null {
  if (input === null || input === undefined || input === '') return 'Email is required'
  const email = input.trim()
  if (email === '') return 'Email cannot be empty'
  if (email.length > 254) return 'Email address too long'
  if (prohibited.some((pattern) => pattern.test(email)) || (SQL_WORD.test(email) && /\s/.test(email)))
    return 'Invalid email format - contains prohibited characters'
  const at = email.lastIndexOf('@')
  if (at > 64) return 'Email local part too long'
  const domain = email.slice(at + 1)
  if (at > 0 && domain !== '' && (domain.includes('..') || domain.startsWith('.') || domain.endsWith('.')))
    return 'Invalid email domain format'
  const local = email.slice(0, at)
  const dotsRight = !local.startsWith('.') && !local.endsWith('.') && !local.includes('..')
  return ADDRESS.test(email) && dotsRight ? null : 'Please enter a valid email address'
}

/** Trimmed, the case as typed. */
export const EmailAddress = z
  .string({ error: 'Email is required' })
  .superRefine((email, context) => {
    const message = emailProblem(email)
    if (message) context.addIssue({ code: 'custom', message })
  })
  .transform((email) => email.trim())
