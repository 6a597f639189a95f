export { formatPercent, formatPoints } from '@assay/shared/rules/points.ts'

/** Formatters are slow to create, and no page needs all. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const date = { day: 'numeric', month: 'short' } as const
const time = { hour: '2-digit', minute: '2-digit' } as const
const dateFormat = lazily(() => new Intl.DateTimeFormat(undefined, { ...date, year: 'numeric' }))
const dateTimeFormat = lazily(() => new Intl.DateTimeFormat(undefined, { ...date, ...time }))
const dateTimeWithYearFormat = lazily(() => new Intl.DateTimeFormat(undefined, { ...date, year: 'numeric', ...time }))
const numberFormat = lazily(() => new Intl.NumberFormat())

/** `12 Nov 2025`. */
export function formatDate(iso: string): string {
  return dateFormat().format(new Date(iso))
}

/** `12 Nov, 14:02`, with the year where it is not this one. */
export function formatDateTime(iso: string): string {
  const at = new Date(iso)
  const form = at.getFullYear() === new Date().getFullYear() ? dateTimeFormat() : dateTimeWithYearFormat()
  return form.format(at)
}

/** For words from the server, which does not know the reader's time zone. */
export const withLocalTimes = (text: string): string =>
  text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, (_, day, time) => formatDateTime(`${day}T${time}Z`))

export function formatCount(count: number): string {
  return numberFormat().format(count)
}

/** `1 submission`, `28 submissions`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

export function formatBytes(bytes: number): string {
  if (bytes === 0) return '0 KB'
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} KB`
  if (bytes < 1024 ** 3) return `${(bytes / 1024 / 1024).toFixed(1)} MB`
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}

/** `about 20 s left`, `about 3 min left`. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds left'
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} s left`
  if (seconds < 3300) return `about ${Math.max(1, Math.round(seconds / 60))} min left`
  return `about ${Math.max(1, Math.round(seconds / 3600))} h left`
}

/** `less than a minute`, `about 12 minutes`, `about 3 hours`. */
export function formatApproximateDuration(seconds: number): string {
  if (seconds < 55) return 'less than a minute'
  if (seconds < 5400) return `about ${plural(Math.max(1, Math.round(seconds / 60)), 'minute')}`
  return `about ${plural(Math.round(seconds / 3600), 'hour')}`
}

/** To the cent from a dollar on, finer below: `$12.40`, `$0.034`. */
export function formatDollars(dollars: number): string {
  if (dollars === 0) return '$0'
  if (dollars < 0.001) return 'under $0.001'
  const digits = dollars < 1 ? 3 : 2
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`
}

/** `5 days, 14 hours`, `12 minutes`. */
export function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 60) return plural(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (days === 0) return `${plural(hours, 'hour')}, ${plural(minutes % 60, 'minute')}`
  return `${plural(days, 'day')}, ${plural(hours % 24, 'hour')}`
}

/** By the specification's steps. */
export function formatTimeAgo(iso: string, now = Date.now()): string {
  const hours = (now - new Date(iso).getTime()) / 3_600_000
  if (hours < 1) return 'Just now'
  if (hours < 24) return `${plural(Math.floor(hours), 'hour')} ago`
  if (hours < 24 * 7) return `${plural(Math.floor(hours / 24), 'day')} ago`
  return formatDate(iso)
}

/** Of a name's first and last word. Whole characters: an emoji has several code units. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const [first = [], ...more] = words.map((word) => [...word])
  const last = more.at(-1)
  return (last ? `${first[0]}${last[0]}` : first.slice(0, 2).join('')).toUpperCase()
}
