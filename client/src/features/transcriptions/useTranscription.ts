import type { Submission } from '@assay/shared/submissions.ts'
import { getTranscription, type Transcription } from '@assay/shared/transcriptions.ts'
import { useCallback, useSyncExternalStore } from 'react'
import { type Loaded, useGet } from '../../lib/api.ts'
import { stored } from '../../lib/stored.ts'

/** Whoever goes through what was read does so paper after paper. */
export const shownStore = stored(() => sessionStorage, 'assay.transcription')
const isShown = () => shownStore.get() === 'on'

/** How often it is asked whether an answer has been scored, should the live connection be down. */
const ASK_EVERY_MS = 3000

interface ShownTranscription {
  shown: boolean
  toggle: () => void
  loaded: Loaded<Transcription>
}

/** What was read in a paper, while it is to be seen. */
export function useTranscription({
  assignment_id,
  id,
}: Pick<Submission, 'assignment_id' | 'id'>): ShownTranscription {
  const shown = useSyncExternalStore(shownStore.subscribe, isShown)
  const params = { assignmentId: assignment_id, submissionId: id }
  const loaded = useGet(getTranscription, params, undefined, { when: shown })
  const waiting = loaded.data?.answers.some(({ scoring }) => scoring === 'waiting') ?? false
  // The same address: asked for once, however many ask.
  useGet(getTranscription, params, undefined, { when: shown && waiting, every: ASK_EVERY_MS })
  const toggle = useCallback(() => shownStore.set(isShown() ? null : 'on'), [])
  return { shown, toggle, loaded }
}
