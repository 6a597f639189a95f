import type { PhotoTurns } from '@assay/shared/photo-drafts.ts'

/** A quarter more, clockwise. */
export const nextTurn = (turns: PhotoTurns) => ((turns + 1) % 4) as PhotoTurns
