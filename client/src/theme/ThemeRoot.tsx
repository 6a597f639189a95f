import { MantineProvider } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useMemo } from 'react'
import { useThemeConfig } from './display.ts'
import { schemeManager } from './scheme.ts'
import { cssVariablesOf, theme } from './theme.ts'
import { featureFlags, themeConfig } from './theme-config.ts'

/** Dresses everything: the theme config as this person has it, told to style sheets by attributes of the root. */
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
      colorSchemeManager={schemeManager}
      defaultColorScheme="auto"
    >
      {children}
    </MantineProvider>
  )
}
