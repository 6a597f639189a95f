import { type ErrorDetail, type ErrorReply, errorCategories, errorKinds } from '@assay/shared/http/errors.ts'

/** Proxies and older servers fail in other shapes. No zod here, since every screen needs this. */

type Fields = Record<string, unknown>

const isText = (value: unknown): value is string => typeof value === 'string'
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isListOf = <T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] =>
  Array.isArray(value) && value.every(isOne)
const isOptional = (value: unknown, type: 'string' | 'number') => value === undefined || typeof value === type

const isPathPart = (value: unknown): value is string | number => isText(value) || typeof value === 'number'
const isErrorDetail = (value: unknown): value is ErrorDetail =>
  isFields(value) && isListOf(value.loc, isPathPart) && isText(value.msg) && isText(value.type)
const isDetail = (value: unknown): value is ErrorReply['detail'] => isText(value) || isListOf(value, isErrorDetail)

type ValidationError = NonNullable<ErrorReply['validation_errors']>[number]
const isValidationError = (value: unknown): value is ValidationError =>
  isFields(value) && isText(value.field) && isText(value.message) && isText(value.constraint)

const texts = ['message', 'error_code', 'request_id', 'timestamp'] as const
const flags = ['can_retry', 'contact_support'] as const

export function isErrorReply(value: unknown): value is ErrorReply {
  return (
    isFields(value) &&
    texts.every((name) => isText(value[name])) &&
    errorCategories.some((category) => category === value.category) &&
    flags.every((name) => typeof value[name] === 'boolean') &&
    isListOf(value.suggestions, isText) &&
    isDetail(value.detail) &&
    isOptional(value.retry_after, 'number') &&
    isOptional(value.type, 'string') &&
    isOptional(value.lms, 'string') &&
    (value.validation_errors === undefined || isListOf(value.validation_errors, isValidationError))
  )
}

/** A code that this page does not know, since the server was updated; null for any other. */
export function newerCodeOf(body: unknown): string | null {
  const code = isFields(body) ? body.error_code : null
  return isText(code) && !(code in errorKinds) ? code : null
}

export function detailOf(body: unknown): ErrorReply['detail'] | null {
  return isFields(body) && isDetail(body.detail) ? body.detail : null
}

const hasMessage = (value: unknown): value is { msg: string } => isFields(value) && isText(value.msg)
const joinMessages = (items: readonly { msg: string }[]) => items.map(({ msg }) => msg).join(', ')

/** In whichever of the shapes of specification point 8; null when it says nothing. */
export function readDetail(body: unknown): string | null {
  const detail = isFields(body) ? body.detail : null
  if (isText(detail)) return detail || null
  if (Array.isArray(detail)) return readItems(detail)
  if (!isFields(detail) || !isText(detail.message)) return null
  const checks = detail.validation_details
  const warnings = isFields(checks) && isListOf(checks.warnings, isText) ? checks.warnings : []
  return warnings.length > 0 ? `${detail.message}\nWarnings:\n${warnings.join('\n')}` : detail.message
}

function readItems(items: readonly unknown[]): string | null {
  const [first] = items
  if (items.length > 0 && items.every(hasMessage)) return joinMessages(items)
  if (!isFields(first)) return null
  if (isText(first.detail)) return first.detail
  return isListOf(first.detail, hasMessage) && first.detail.length > 0 ? joinMessages(first.detail) : null
}
