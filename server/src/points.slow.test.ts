import { it } from 'vitest'
import { useFakeLmss } from './testing/lms-class.ts'
import { expectPointsEverywhere, quartersOf } from './testing/points-everywhere.ts'
import { useTestApi } from './testing/server.ts'

const { api, server } = useTestApi()
const lmsOf = useFakeLmss()

it.each([37, 40, 100, 120, 200])(
  'shows, exports and sends every quarter of %d points as they were given',
  async (of) => {
    await expectPointsEverywhere([server, api, await lmsOf('moodle')], of, quartersOf(of), 40)
  },
  1_800_000,
)
