import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { launchId } from '../lib/launch-address.ts'
import { stored } from '../lib/stored.ts'
import { type Contrast, featureFlags, type ThemeConfig, type ThemeMode, themeConfig } from './theme-config.ts'

/** How this person wants to see Assay, on this device. Light and dark are Mantine's to keep. */
const Choice = z.object({
  contrast: z.enum(['system', 'normal', 'high']).catch('system'),
  flags: z.partialRecord(z.enum(featureFlags), z.boolean()).catch({}),
})
export type DisplayChoice = z.infer<typeof Choice>

const KEY = 'assay-display'
const modeStore = stored(() => sessionStorage, 'assay-mode')
const nothingChosen: DisplayChoice = { contrast: 'system', flags: {} }

function read(): DisplayChoice {
  try {
    return Choice.parse(JSON.parse(localStorage.getItem(KEY) ?? '{}'))
  } catch {
    return nothingChosen // Storage that is refused or holds something else: as if nothing was chosen.
  }
}

/** What is launched has it in its address. Otherwise somebody asks for it once, and it holds for the tab. */
function readMode(): ThemeMode {
  if (launchId !== null) return 'lti-embedded'
  if (new URLSearchParams(location.search).get('display') === 'embedded') modeStore.set('lti-embedded')
  return modeStore.get() === 'lti-embedded' ? 'lti-embedded' : 'standalone'
}

const listeners = new Set<() => void>()
const mode = readMode()
let chosen = read()

export function chooseDisplay(change: Partial<DisplayChoice>): void {
  chosen = { ...chosen, ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen))
  } catch {
    // It holds until the page is closed, then.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useDisplayChoice(): DisplayChoice {
  return useSyncExternalStore(subscribe, () => chosen)
}

const moreContrast = '(prefers-contrast: more)'

function subscribeToContrast(listener: () => void): () => void {
  const query = window.matchMedia?.(moreContrast)
  query?.addEventListener('change', listener)
  return () => query?.removeEventListener('change', listener)
}

/** The theme config as this person has it: what they chose, else what their system asks for, else the defaults. */
export function useThemeConfig(): ThemeConfig {
  const choice = useDisplayChoice()
  const systemWantsMore = useSyncExternalStore(
    subscribeToContrast,
    () => window.matchMedia?.(moreContrast).matches ?? false,
  )
  const bySystem: Contrast = systemWantsMore ? 'high' : 'normal'
  return {
    ...themeConfig,
    mode,
    contrast: choice.contrast === 'system' ? bySystem : choice.contrast,
    flags: { ...themeConfig.flags, ...choice.flags },
  }
}
