import { expect, it } from 'vitest'
import { isOtherLanguage } from './other-language.ts'

it.each([
  ['Complete the sentence.\nNous ____ (aller) au marché avec les enfants.', true],
  ['Ma sœur est plus grande que mon frère.', true],
  ['Ella no habla con el profesor.', true],
  ['Der Hund ist nicht in dem Garten.', true],
  ['El Niño and La Niña are parts of one cycle of the ocean.', false],
  ['The café in Le Mans was open for the race.', false],
  ['des dérivés', false],
])('“%s”: %s', (text, other) => {
  expect(isOtherLanguage(text)).toBe(other)
})
