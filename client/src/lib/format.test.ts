import { expect, it } from 'vitest'
import { formatDate, formatTimeAgo, initials } from './format.ts'

it.each([
  ['Ada Lovelace', 'AL'],
  ['ada@school.example', 'AE'],
  ['ines', 'IN'],
  ['Carl; the "Great"', 'CG'],
  ['Ines Müller 🎓', 'IM'],
  ['𝒜da 😀', '𝒜D'],
  ['مريم حسن', 'مح'],
  ['🎓', ''],
])('draws whole letters of “%s” in its avatar', (name, letters) => {
  expect(initials(name)).toBe(letters)
})

it('says how long ago a grade came: just now, hours, days, then the date', () => {
  const now = Date.parse('2026-02-20T12:00:00Z')
  const ago = (minutes: number) => formatTimeAgo(new Date(now - minutes * 60_000).toISOString(), now)
  const hour = 60
  const day = 24 * hour
  expect(ago(0)).toBe('Just now')
  expect(ago(hour - 1)).toBe('Just now')
  expect(ago(hour)).toBe('1 hour ago')
  expect(ago(day - 1)).toBe('23 hours ago')
  expect(ago(day)).toBe('1 day ago')
  expect(ago(7 * day - 1)).toBe('6 days ago')
  expect(ago(7 * day)).toBe(formatDate('2026-02-13T12:00:00Z'))
})
