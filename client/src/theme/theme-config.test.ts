import { expect, it } from 'vitest'
import { cssVariablesOf } from './ThemeRoot.tsx'
import { featureFlags, type ThemeConfig, themeConfig, themeProblem } from './theme-config.ts'

/** WCAG 2.2 contrast of two colours written #rrggbb. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

it('names what a theme lacks, in the specification’s words', () => {
  const without = (change: object) => themeProblem({ ...themeConfig, ...change } as ThemeConfig)
  expect(themeProblem(themeConfig)).toBeNull()
  expect(without({ colours: { ...themeConfig.colours, primary: [] } })).toBe(
    'Theme must have a primary color with 500 shade',
  )
  expect(without({ fonts: { sans: ' ', mono: '' } })).toBe('Theme must have a sans-serif font family')
  expect(without({ space: {} })).toBe('Theme must have base spacing scale including space.4')
})

it('is the Educational Default 1.0.0, with the student portal and the phone refinements on and seven others off', () => {
  expect([themeConfig.name, themeConfig.version]).toEqual(['Educational Default', '1.0.0'])
  expect(featureFlags).toHaveLength(9)
  expect(featureFlags.filter((flag) => themeConfig.flags[flag])).toEqual(['studentPortal', 'mobileOptimizations'])
})

it('scales margins and padding by 0.75 inside an LMS', () => {
  const scaleOf = (mode: ThemeConfig['mode']) =>
    cssVariablesOf({ ...themeConfig, mode })({} as never).variables['--space-scale']
  expect([scaleOf('standalone'), scaleOf('lti-embedded')]).toEqual(['1', '0.75'])
})

it('gives every status and grade band a colour one can read: 4.5:1, and 7:1 with high contrast', () => {
  for (const tone of [...Object.values(themeConfig.status), ...Object.values(themeConfig.grades)]) {
    expect(contrast(tone.light, '#f4f2ed')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(tone.dark, '#242220')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(tone.lightHigh, '#ffffff')).toBeGreaterThanOrEqual(7)
    expect(contrast(tone.darkHigh, '#000000')).toBeGreaterThanOrEqual(7)
  }
})
