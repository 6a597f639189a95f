import type { Submission } from '@assay/shared/submissions.ts'
import { getTranscription } from '@assay/shared/transcriptions.ts'
import { useCallback, useSyncExternalStore } from 'react'
import { useGet } from '../../lib/api/api-hooks.ts'
import { browserStore } from '../../lib/session/browser-store.ts'

export const transcriptionShownStore = browserStore(() => sessionStorage, 'assay.transcription')
const isShown = () => transcriptionShownStore.get() === 'on'

const POLL_INTERVAL_MS = 3000

export function useTranscription({ assignment_id, id }: Pick<Submission, 'assignment_id' | 'id'>) {
  const shown = useSyncExternalStore(transcriptionShownStore.subscribe, isShown)
  const loaded = useGet(getTranscription, { assignmentId: assignment_id, submissionId: id }, undefined, {
    enabled: shown,
    refreshIntervalMs: (data) => (data?.answers.some(({ scoring }) => scoring === 'waiting') ? POLL_INTERVAL_MS : 0),
  })
  const toggle = useCallback(() => transcriptionShownStore.set(isShown() ? null : 'on'), [])
  return { shown, toggle, loaded }
}
