import { useSyncExternalStore } from 'react'
import { browserStore, memoryStore } from '../lib/session/browser-store.ts'
import { launchId } from '../lib/session/launch-path.ts'
import {
  type Contrast,
  type FeatureFlag,
  featureFlags,
  type ThemeConfig,
  type ThemeMode,
  themeConfig,
} from './theme-config.ts'

/** Light or dark is Mantine's to store. */
interface DisplayChoice {
  contrast: 'system' | Contrast
  flags: Partial<Record<FeatureFlag, boolean>>
}

const KEY = 'assay-display'
const modeStore = browserStore(() => sessionStorage, 'assay-mode')
const defaultChoice: DisplayChoice = { contrast: 'system', flags: {} }

function readChoice(): DisplayChoice {
  try {
    const { contrast, flags } = Object(JSON.parse(localStorage.getItem(KEY) ?? '{}'))
    return {
      contrast: contrast === 'normal' || contrast === 'high' ? contrast : 'system',
      flags: Object.fromEntries(
        featureFlags.map((flag) => [flag, Object(flags)[flag]]).filter(([, on]) => typeof on === 'boolean'),
      ),
    }
  } catch {
    return defaultChoice // Storage that is refused or holds something else: as if nothing was chosen.
  }
}

/** A launch is always embedded; otherwise the address may ask for it, for this tab. */
function readMode(): ThemeMode {
  if (launchId !== null) return 'lti-embedded'
  if (new URLSearchParams(location.search).get('display') === 'embedded') modeStore.set('lti-embedded')
  return modeStore.get() === 'lti-embedded' ? 'lti-embedded' : 'standalone'
}

const mode = readMode()
const choiceStore = memoryStore(readChoice())

export function chooseDisplay(change: Partial<DisplayChoice>): void {
  const choice = { ...defaultChoice, ...choiceStore.get(), ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(choice))
  } catch {
    // Without storage it holds until the page is closed.
  }
  choiceStore.set(choice)
}

export function useDisplayChoice(): DisplayChoice {
  return useSyncExternalStore(choiceStore.subscribe, choiceStore.get) ?? defaultChoice
}

const moreContrastQuery = '(prefers-contrast: more)'

function subscribeToContrast(listener: () => void): () => void {
  const query = window.matchMedia?.(moreContrastQuery)
  query?.addEventListener('change', listener)
  return () => query?.removeEventListener('change', listener)
}

/** What they chose, else what their system asks for, else the defaults. */
export function useThemeConfig(): ThemeConfig {
  const choice = useDisplayChoice()
  const systemWantsMore = useSyncExternalStore(
    subscribeToContrast,
    () => window.matchMedia?.(moreContrastQuery).matches ?? false,
  )
  const bySystem: Contrast = systemWantsMore ? 'high' : 'normal'
  return {
    ...themeConfig,
    mode,
    contrast: choice.contrast === 'system' ? bySystem : choice.contrast,
    flags: { ...themeConfig.flags, ...choice.flags },
  }
}
