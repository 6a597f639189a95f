import {
  type CSSVariablesResolver,
  createTheme,
  isMantineColorScheme,
  type MantineColorScheme,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  MantineProvider,
} from '@mantine/core'
import { type MouseEvent, type ReactNode, useLayoutEffect, useMemo } from 'react'
import { useThemeConfig } from './display-choice.ts'
import { defaultScheme, schemeStore } from './scheme-store.ts'
import {
  EMBEDDED_SCALE,
  featureFlags,
  type Shades,
  type ThemeConfig,
  type Tone,
  themeConfig,
  themeProblem,
} from './theme-config.ts'

export function ThemeRoot({ children }: { children: ReactNode }) {
  const { mode, contrast, flags } = useThemeConfig()
  const on = featureFlags.filter((flag) => flags[flag]).join(' ')
  const variables = useMemo(() => cssVariablesOf({ ...themeConfig, mode, contrast }), [mode, contrast])
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.mode = mode
    dataset.contrast = contrast
    dataset.flags = on
  }, [mode, contrast, on])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme={defaultScheme()}
    >
      {children}
    </MantineProvider>
  )
}

function readScheme(otherwise: MantineColorScheme): MantineColorScheme {
  const value = schemeStore.get()
  return isMantineColorScheme(value) ? value : otherwise
}

let stop = () => {}

/** Mantine's own manager reads storage unguarded on other tabs' changes. */
const colorSchemeManager: MantineColorSchemeManager = {
  get: readScheme,
  set: schemeStore.set,
  subscribe(onUpdate) {
    stop = schemeStore.subscribe(() => onUpdate(readScheme(defaultScheme())))
  },
  unsubscribe: () => stop(),
  clear: () => schemeStore.set(null),
}

const problem = themeProblem(themeConfig)
if (problem) throw new Error(problem)

/** Breakpoints in em follow a reader's larger type. */
const toEm = (pixels: string) => `${Number.parseFloat(pixels) / 16}em`
const toColorTuple = (shades: Shades): MantineColorsTuple => [...shades]

function buttonVars(config: ThemeConfig) {
  return (_: unknown, { size }: { size?: string | number }) => {
    const heights = new Map(Object.entries(config.buttonHeights))
    const height = heights.get(typeof size === 'string' ? size : 'sm')
    const small = size === 'xs' ? { '--button-fz': '0.875rem' } : {}
    return { root: height ? { '--button-height': height, ...small } : {} }
  }
}

/** Mantine draws a dialog's title in a `header`: outside `main`, a second banner of the page. */
const titleBar = { header: { role: 'presentation' } }

/** A dialog returns the focus to what had it: the menu's button, since the chosen item is gone by then. */
function focusMenuButton({ currentTarget }: MouseEvent<HTMLElement>): void {
  const id = currentTarget.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  if (id) document.getElementById(id)?.focus()
}

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  colors: {
    ink: toColorTuple(themeConfig.colours.primary),
    gray: toColorTuple(themeConfig.colours.neutral),
    dark: toColorTuple(themeConfig.colours.night),
  },
  white: '#ffffff',
  black: themeConfig.colours.neutral[9],
  fontFamily: themeConfig.fonts.sans,
  fontFamilyMonospace: themeConfig.fonts.mono,
  fontSizes: { xs: '0.8125rem', sm: '0.9375rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.5', md: '1.5', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.1875rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.45' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  breakpoints: {
    xs: toEm(themeConfig.breakpoints.xs),
    sm: toEm(themeConfig.breakpoints.sm),
    md: toEm(themeConfig.breakpoints.md),
    lg: toEm(themeConfig.breakpoints.lg),
    xl: toEm(themeConfig.breakpoints.xl),
  },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '14px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'xs' }, vars: buttonVars(themeConfig) },
    InputWrapper: { styles: { label: { marginBottom: 4 } } },
    TextInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md', autosize: true } },
    NumberInput: { defaultProps: { allowDecimal: false } },
    ActionIcon: { defaultProps: { variant: 'subtle' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 150, exitDuration: 0, transition: 'fade' },
        radius: 'lg',
        attributes: titleBar,
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontSize: '1.125rem', lineHeight: 1.35, fontWeight: 620, overflowWrap: 'anywhere' } },
    },
    // Scrolls where the window, or an LMS's frame, is low.
    Menu: {
      defaultProps: {
        transitionProps: { duration: 120, transition: 'fade' },
        shadow: 'sm',
        middlewares: { flip: true, shift: true, size: { padding: 8 } },
      },
      styles: { dropdown: { overflowY: 'auto' } },
    },
    MenuItem: { defaultProps: { onClickCapture: focusMenuButton } },
    Drawer: { defaultProps: { transitionProps: { duration: 180 }, attributes: titleBar } },
    Tooltip: { defaultProps: { openDelay: 400, transitionProps: { duration: 120, transition: 'fade' } } },
  },
})

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function toneVariables(prefix: string, of: Record<string, Tone>, pick: keyof Tone): Record<string, string> {
  return Object.fromEntries(Object.entries(of).map(([name, tone]) => [`--${prefix}-${kebab(name)}`, tone[pick]]))
}

const semanticColors = ({ status, grades }: ThemeConfig, pick: keyof Tone) => ({
  ...toneVariables('status', status, pick),
  ...toneVariables('band', grades, pick),
})

export function cssVariablesOf(config: ThemeConfig): CSSVariablesResolver {
  const high = config.contrast === 'high'
  return () => ({
    variables: { '--space-scale': String(config.mode === 'lti-embedded' ? EMBEDDED_SCALE : 1) },
    light: {
      '--mantine-color-body': high ? '#ffffff' : '#fbfaf8',
      '--mantine-color-dimmed': `var(--mantine-color-gray-${high ? 8 : 6})`,
      '--mantine-color-placeholder': `var(--mantine-color-gray-${high ? 7 : 6})`,
      '--mantine-color-default-border': `var(--mantine-color-gray-${high ? 8 : 3})`,
      '--mantine-color-error': high ? '#7c1607' : '#a5301f',
      ...(high ? { '--mantine-color-text': '#000000', '--mantine-color-ink-filled': '#152f63' } : {}),
      ...semanticColors(config, high ? 'lightHigh' : 'light'),
    },
    dark: {
      '--mantine-color-body': high ? '#000000' : 'var(--mantine-color-dark-7)',
      '--mantine-color-dimmed': `var(--mantine-color-dark-${high ? 0 : 2})`,
      '--mantine-color-anchor': `var(--mantine-color-ink-${high ? 2 : 3})`,
      '--mantine-color-default-border': `var(--mantine-color-dark-${high ? 1 : 4})`,
      '--mantine-color-error': high ? '#ffb3a5' : '#f0907f',
      ...(high ? { '--mantine-color-text': '#ffffff' } : {}),
      ...semanticColors(config, high ? 'darkHigh' : 'dark'),
    },
  })
}
