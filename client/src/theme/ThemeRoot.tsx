import { MantineProvider } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useMemo } from 'react'
import { colorSchemeManager } from './color-scheme-manager.ts'
import { useThemeConfig } from './display-choice.ts'
import { cssVariablesOf, theme } from './theme.ts'
import { featureFlags, themeConfig } from './theme-config.ts'

/** Applies the theme: this person's theme config, also as attributes of the root for style sheets. */
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
      defaultColorScheme="auto"
    >
      {children}
    </MantineProvider>
  )
}
