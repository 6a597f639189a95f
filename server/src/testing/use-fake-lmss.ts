import { afterEach } from 'vitest'
import { type FakeLms, startFakeLms } from '../../../tests/fake-lms/fake-lms.ts'
import type { KindName } from '../../../tests/fake-lms/lms-kinds.ts'

export function useFakeLmss(): (kind: KindName) => Promise<FakeLms> {
  const running: FakeLms[] = []
  afterEach(async () => {
    for (const lms of running.splice(0)) await lms.close()
  })
  return async (kind) => {
    const lms = await startFakeLms({ kind })
    running.push(lms)
    return lms
  }
}
