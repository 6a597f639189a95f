import { createOfflineGrader } from '../grader/offline/offline-grader.ts'

/** Each grader has workers of its own, which its server ends. */
export function createPausedGrader(meanwhile: () => Promise<void>): ReturnType<typeof createOfflineGrader> {
  const offline = createOfflineGrader()
  return {
    ...offline,
    async grade(...of) {
      const grade = await offline.grade(...of)
      await meanwhile()
      return grade
    },
  }
}
