import type { RunningServer } from '../../server/src/start.ts'
import { buildLinkedCourse, syncRoster } from '../../server/src/testing/linked-course.ts'
import { startRegisteredLms } from '../../server/src/testing/registered-lms.ts'
import { watchMemory } from './process-tree.ts'

const MEMBERS = 5000

interface RosterCost {
  members: number
  /** First sync, when all members are new: accounts, identities, enrolments, audit log. In seconds. */
  first: number
  /** Second sync without changes, in seconds. */
  again: number
  /** Memory of the process tree, including the fake LMS, in MB: before, and the peak. */
  megabytesBefore: number
  peakMegabytes: number
}

/** Syncs a course of thousands from a fake LMS on loopback, 50 per page as in Canvas. */
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
