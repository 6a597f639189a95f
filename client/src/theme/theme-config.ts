export type ThemeMode = 'standalone' | 'lti-embedded'
export type Contrast = 'normal' | 'high'

export const featureFlags = [
  'studentPortal',
  'mobileOptimizations',
  'compactLists',
  'stripedTables',
  'largeText',
  'readableSpacing',
  'underlinedLinks',
  'wideLayout',
  'roleAccents',
] as const
export type FeatureFlag = (typeof featureFlags)[number]

type StatusName = 'published' | 'draft' | 'submitted' | 'graded' | 'overdue' | 'upcoming'
type GradeBand = 'excellent' | 'good' | 'satisfactory' | 'needsWork' | 'incomplete'

/** A text colour on light and dark ground: contrast of 4.5:1 at least, 7:1 with high contrast. */
export interface Tone {
  light: string
  dark: string
  lightHigh: string
  darkHigh: string
}

/** Page margins and card padding inside an LMS's frame, as a share of those outside. */
export const EMBEDDED_SCALE = 0.75

export interface ThemeConfig {
  name: string
  version: string
  mode: ThemeMode
  contrast: Contrast
  /** Refinements only: no feature depends on one. */
  flags: Record<FeatureFlag, boolean>
  status: Record<StatusName, Tone>
  grades: Record<GradeBand, Tone>
  /** Ten shades each, light to dark; index 5 is the specification's shade 500. */
  colours: { primary: Shades; neutral: Shades; night: Shades }
  fonts: { sans: string; mono: string }
  /** Step to length; a step is 4 px. */
  space: Record<string, string>
  breakpoints: Record<'xs' | 'sm' | 'md' | 'lg' | 'xl' | '2xl', string>
  containers: Record<'narrow' | 'reading' | 'standard' | 'wide', string>
  buttonHeights: Record<'xs' | 'sm' | 'md' | 'lg' | 'xl', string>
}

export type Shades = readonly [string, string, string, string, string, string, string, string, string, string]

const tone = (light: string, dark: string, lightHigh: string, darkHigh: string): Tone => ({
  light,
  dark,
  lightHigh,
  darkHigh,
})
const green = tone('#22693f', '#85c89b', '#0d4a27', '#a8e6bc')
const amber = tone('#855400', '#e0b45e', '#5c3a00', '#f7d288')
const red = tone('#a5301f', '#f0907f', '#7c1607', '#ffb3a5')
const ink = tone('#2b4a86', '#9cb3dc', '#152f63', '#c3d5f7')
const quiet = tone('#6a6359', '#aaa398', '#3d3830', '#d3cec5')

export const themeConfig: ThemeConfig = {
  name: 'Educational Default',
  version: '1.0.0',
  mode: 'standalone',
  contrast: 'normal',
  flags: {
    studentPortal: true,
    mobileOptimizations: true,
    compactLists: false,
    stripedTables: false,
    largeText: false,
    readableSpacing: false,
    underlinedLinks: false,
    wideLayout: false,
    roleAccents: false,
  },
  status: { published: green, draft: quiet, submitted: ink, graded: green, overdue: red, upcoming: amber },
  grades: {
    excellent: tone('#1f6b45', '#7fcb9e', '#0b4a2b', '#a3e8be'),
    good: tone('#3c6a24', '#a5c97c', '#264a12', '#c6e6a2'),
    satisfactory: tone('#7d5a00', '#dfb95a', '#573e00', '#f7d88a'),
    needsWork: red,
    incomplete: quiet,
  },
  colours: {
    primary: [
      '#eff3fa',
      '#dde5f3',
      '#b9c9e5',
      '#9cb3dc',
      '#7391ca',
      '#5275b8',
      '#3c60a4',
      '#2b4a86',
      '#223c6d',
      '#182a4d',
    ],
    neutral: [
      '#faf9f6',
      '#f3f1ec',
      '#e6e2da',
      '#d6d0c5',
      '#b8b0a3',
      '#8f877a',
      '#6b645a',
      '#4f4942',
      '#37332e',
      '#25221e',
    ],
    // Mantine's dark scheme reads these from text (0) to deepest ground (9).
    night: [
      '#ebe7e0',
      '#d3cec5',
      '#aaa398',
      '#7d766c',
      '#48443e',
      '#3a3732',
      '#292724',
      '#1d1c1a',
      '#171614',
      '#11100f',
    ],
  },
  fonts: {
    sans: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
    mono: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  },
  space: { 'space.1': '4px', 'space.2': '8px', 'space.3': '12px', 'space.4': '16px', 'space.6': '24px' },
  breakpoints: { xs: '475px', sm: '640px', md: '768px', lg: '1024px', xl: '1280px', '2xl': '1536px' },
  containers: { narrow: '28rem', reading: '42rem', standard: '56rem', wide: '72rem' },
  buttonHeights: { xs: '36px', sm: '40px', md: '44px', lg: '48px', xl: '56px' },
}

/** In the specification's words; null when the theme can be used. */
export function themeProblem(config: ThemeConfig): string | null {
  if (!config.colours.primary[5]) return 'Theme must have a primary color with 500 shade'
  if (config.fonts.sans.trim() === '') return 'Theme must have a sans-serif font family'
  if (!config.space['space.4']) return 'Theme must have base spacing scale including space.4'
  return null
}
