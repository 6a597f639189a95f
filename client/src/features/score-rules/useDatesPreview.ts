import type { Assignment } from '@assay/shared/assignments.ts'
import { type DatesToPreview, previewDates, type ScoreRulesPreview } from '@assay/shared/score-rules.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useSend } from '../../lib/api/api-hooks.ts'

interface DatesPreview {
  /** Of these very dates; null while nothing is to be shown. */
  preview: ScoreRulesPreview | null
  figures: RefObject<HTMLElement | null>
  /** False where the dates change released scores and that was not shown yet. It is shown then. */
  mayBeSaved: () => Promise<boolean>
}

/** Shows which released scores other dates would change. @param dates without a field: none were changed */
export function useDatesPreview(
  { id, status }: Pick<Assignment, 'id' | 'status'>,
  dates: DatesToPreview,
): DatesPreview {
  const ask = useSend(previewDates)
  const [shown, setShown] = useState<{ of: string; preview: ScoreRulesPreview } | null>(null)
  const figures = useRef<HTMLElement>(null)
  const key = JSON.stringify(dates)
  const preview = shown?.of === key ? shown.preview : null
  useEffect(() => {
    if (!preview) return
    figures.current?.focus({ preventScroll: true })
    figures.current?.scrollIntoView?.({ block: 'nearest' })
  }, [preview])

  async function mayBeSaved() {
    if (preview || status !== 'published' || Object.keys(dates).length === 0) return true
    const found = await ask.send({ params: { assignmentId: id }, body: dates })
    if (found.released_changed === 0) return true
    setShown({ of: key, preview: found })
    return false
  }

  return { preview, figures, mayBeSaved }
}
