/** What a theme is made of, apart from the components: the specification's “theme config”. */
export interface ThemeConfig {
  name: string
  version: string
  mode: 'standalone' | 'lti-embedded'
  contrast: 'normal' | 'high'
  /** Ten shades each, light to dark; index 5 is what the specification calls shade 500. */
  colours: { primary: Shades; neutral: Shades; night: Shades }
  fonts: { sans: string; mono: string }
  /** Step to length; a step is 4 px. */
  space: Record<string, string>
  breakpoints: Record<'xs' | 'sm' | 'md' | 'lg' | 'xl' | '2xl', string>
  containers: Record<'narrow' | 'reading' | 'standard' | 'wide', string>
  buttonHeights: Record<'xs' | 'sm' | 'md' | 'lg' | 'xl', string>
}

export type Shades = readonly [string, string, string, string, string, string, string, string, string, string]

export const themeConfig: ThemeConfig = {
  name: 'Educational Default',
  version: '1.0.0',
  mode: 'standalone',
  contrast: 'normal',
  colours: {
    // Ink blue: the one accent, for what can be pressed.
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

/** What is wrong with a theme, in the specification's words; null when it can be used. */
export function themeProblem(config: ThemeConfig): string | null {
  if (!config.colours.primary[5]) return 'Theme must have a primary color with 500 shade'
  if (config.fonts.sans.trim() === '') return 'Theme must have a sans-serif font family'
  if (!config.space['space.4']) return 'Theme must have base spacing scale including space.4'
  return null
}
