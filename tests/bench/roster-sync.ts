import type { RunningServer } from '../../server/src/start.ts'
import { buildLinkedCourse, syncRoster } from '../../server/src/testing/linked-course.ts'
import { startRegisteredLms } from '../../server/src/testing/registered-lms.ts'
import { watchMemory } from './process-tree.ts'

const MEMBERS = 5000

export interface RosterCost {
  members: number
  /** The first time, everybody being new: accounts, identities, places, audit log. */
  first: number
  /** Again, nobody having changed. In seconds. */
  again: number
  /** Of the process tree with the fake LMS in it, in MB: before, and the most it was meanwhile. */
  megabytesBefore: number
  peakMegabytes: number
}

/** A course of thousands is synced from a fake LMS on loopback, 50 to a page as Canvas gives them. */
export async function measureRoster(running: RunningServer): Promise<RosterCost> {
  const school = await startRegisteredLms({ running }, { kind: 'canvas' })
  try {
    const { course } = school.lms.classOf(MEMBERS - 1)
    const tied = await buildLinkedCourse(school, course)
    const megabytesBefore = watchMemory()()
    const peak = watchMemory()
    const time = async (wanted: object) => {
      const begun = performance.now()
      const report = await syncRoster(tied)
      for (const [figure, value] of Object.entries(wanted))
        if (Reflect.get(report, figure) !== value) throw new Error(`${figure}: ${JSON.stringify(report)}`)
      return (performance.now() - begun) / 1000
    }
    const first = await time({ state: 'done', created: MEMBERS })
    const again = await time({ state: 'done', unchanged: MEMBERS })
    return { members: MEMBERS, first, again, megabytesBefore, peakMegabytes: peak() }
  } finally {
    await school.lms.close()
  }
}
