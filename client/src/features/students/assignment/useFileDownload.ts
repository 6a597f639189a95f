import { downloadFile } from '../../../lib/api/api-hooks.ts'
import { useAttempt } from '../../../lib/api/useAttempt.ts'

export function useFileDownload() {
  const { attempt, busy: saving, failure } = useAttempt('The download failed. Please try again.')
  const save: typeof downloadFile = async (...of) => {
    await attempt(() => downloadFile(...of))
  }
  return { save, saving, failure }
}
