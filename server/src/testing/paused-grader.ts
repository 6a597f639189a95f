import { createOfflineGrader } from '../grader/offline/offline-grader.ts'

const offline = createOfflineGrader()

/** The offline grader, which a test may hold before it answers. */
export const createPausedGrader = (meanwhile: () => Promise<void>): typeof offline => ({
  ...offline,
  async grade(...of) {
    const grade = await offline.grade(...of)
    await meanwhile()
    return grade
  },
})
