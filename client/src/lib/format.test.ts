import { expect, it } from 'vitest'
import { initials } from './format.ts'

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
