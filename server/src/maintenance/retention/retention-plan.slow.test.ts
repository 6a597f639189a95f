import mongoose from 'mongoose'
import { expect, it } from 'vitest'
import { ageAssignment, buildAssignment, buildCourse } from '../../testing/build-course.ts'
import { buildManySubmissions } from '../../testing/build-many-submissions.ts'
import { useTestApi } from '../../testing/server.ts'
import { findNoticed, giveAllNotices, withdrawNotices } from './retention-notices.ts'

const { api, server } = useTestApi({ RETENTION_MONTHS: '24' })

interface Asked {
  collection: string
  filter: object
  sort?: object
}

async function queriesOf(work: () => Promise<unknown>): Promise<Asked[]> {
  const large = [
    'assignments',
    'submissions',
    'regrades',
    'runs',
    'rubric_amendments',
    'class_scans',
    'accuracy_checks',
  ]
  const asked: Asked[] = []
  mongoose.set('debug', (collection: string, method: string, filter: object, options?: { sort?: object }) => {
    if (large.includes(collection) && /^(find|findOne|countDocuments)$/.test(method))
      asked.push({ collection, filter, ...(options?.sort ? { sort: options.sort } : {}) })
  })
  try {
    await work()
  } finally {
    mongoose.set('debug', false)
  }
  return asked
}

it('looks for what is due by indexes alone', async () => {
  const built = await buildCourse(api, { students: 0 })
  const longAgo = new Date(Date.now() - 5 * 365 * 24 * 60 * 60 * 1000)
  for (let i = 0; i < 2; i++) {
    const { assignmentId } = await buildAssignment(api, built, [])
    await buildManySubmissions(assignmentId, 2, { graded: 1 })
    await ageAssignment(assignmentId, longAgo)
  }
  const { services } = server.running
  const asked = await queriesOf(async () => {
    await giveAllNotices(services, new AbortController().signal)
    await withdrawNotices(await findNoticed(), services)
  })
  expect(new Set(asked.map(({ collection }) => collection)).size).toBe(7)
  const plans = await Promise.all(
    asked.map(async ({ collection, filter, sort }) => {
      const command = { explain: { find: collection, filter, ...(sort ? { sort } : {}) } }
      const { queryPlanner } = (await mongoose.connection.db?.command(command)) ?? {}
      return { collection, filter, plan: JSON.stringify(queryPlanner?.winningPlan) }
    }),
  )
  expect(plans.filter(({ plan }) => !/IXSCAN|IDHACK/.test(plan))).toEqual([])
})
