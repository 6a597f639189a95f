import type { Launched, Role, TestData } from './test-data.ts'

/** One path of `router.tsx`, and the roles that may see it. */
export interface Screen {
  name: string
  /** Its contact sheet. */
  sheet: 'public' | 'teacher' | 'student' | 'admin'
  path: (world: TestData) => string
  /** The kind of LMS launch, for paths of a launch. */
  launch?: Launched
  roles: Role[]
  /** Path and account for the empty state; absent if there is none. */
  empty?: { role: Role; path?: (world: TestData) => string }
  /** False for screens without requests, which have no loading and failed states. */
  loads?: boolean
}

export const at = (path: string) => () => path
