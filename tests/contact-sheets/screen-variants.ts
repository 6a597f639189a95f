import { desktop, phone } from '../journeys/support/browser.ts'
import type { Screen } from './screen.ts'
import type { Role } from './test-data.ts'

type ScreenState = 'full' | 'loading' | 'empty' | 'error'

/** One screenshot: a screen for a role in one state and appearance. */
export interface ScreenVariant {
  screen: Screen
  role: Role
  state: ScreenState
  width: 1280 | 390
  dark: boolean
  highContrast: boolean
  embedded: boolean
}

export const variantViewport = ({ width }: ScreenVariant) => (width === 390 ? phone : desktop)

export const variantName = ({ screen, role, state, width, dark, highContrast, embedded }: ScreenVariant) =>
  [
    screen.name,
    role.replace(' ', '-'),
    state,
    width,
    ...(dark ? ['dark'] : []),
    ...(highContrast ? ['contrast'] : []),
    ...(embedded ? ['embedded'] : []),
  ].join('_')

function statesOf(screen: Screen): ScreenState[] {
  return [
    ...(screen.loads === false ? [] : (['loading', 'error'] as const)),
    ...(screen.empty ? (['empty'] as const) : []),
    'full',
  ]
}

const plain = { dark: false, highContrast: false, embedded: false }

/**
 * The full state in both widths for each permitted role; and for each screen every state, colour scheme, contrast, mode and width at least
 * once. Their combinations rotate from screen to screen, so that all screens together cover each pair.
 */
export function variantsOf(screens: Screen[]): ScreenVariant[] {
  return screens.flatMap((screen, turn) => {
    const always = screen.roles.flatMap((role) =>
      ([1280, 390] as const).map((width): ScreenVariant => ({ screen, role, state: 'full', width, ...plain })),
    )
    const states = statesOf(screen)
    const pairwise = Array.from({ length: Math.max(3, states.length) }, (_, i): ScreenVariant => {
      const state = states[i % states.length] ?? 'full'
      const bits = (i * 5 + turn * 3 + 1) % 16
      const first = screen.roles[i % screen.roles.length] ?? 'visitor'
      return {
        screen,
        role: state === 'empty' ? (screen.empty?.role ?? first) : first,
        state,
        width: bits & 1 ? 390 : 1280,
        dark: (bits & 2) !== 0,
        highContrast: (bits & 4) !== 0,
        embedded: (bits & 8) !== 0,
      }
    })
    return [...always, ...pairwise]
  })
}
