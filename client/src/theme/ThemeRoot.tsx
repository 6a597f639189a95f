import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import { isMantineColorScheme, MantineProvider } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useMemo } from 'react'
import { useThemeConfig } from './display-choice.ts'
import { defaultScheme, schemeStore } from './scheme-store.ts'
import { cssVariablesOf, theme } from './theme.ts'
import { featureFlags, themeConfig } from './theme-config.ts'

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
