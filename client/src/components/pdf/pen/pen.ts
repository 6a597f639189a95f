import type { PenColour, PenMark, PenMarkContent } from '@assay/shared/pen-marks.ts'
import { type RefObject, useRef, useState } from 'react'

export type PenTool = 'ink' | 'highlight' | 'text' | 'tick' | 'cross' | 'stamp' | 'eraser'

/** What a stamp writes; `item_id` is the rubric item that it gives. */
export interface PenStamp {
  item_id: number
  text: string
}

/** What is drawn on a paper, and how that is changed. */
export interface Pen {
  marks: readonly PenMark[]
  /** Null for who may only look. */
  edit: PenEditing | null
}

export interface PenEditing {
  add: (content: PenMarkContent) => void
  erase: (id: string) => void
  /** Null where there is nothing to undo. */
  undo: (() => void) | null
  /** Why the last one could not be saved, and how many wait; null where all are saved. */
  problem: { message: string; count: number; retry: () => void } | null
  /** Null where no question is chosen. */
  stamps: readonly PenStamp[] | null
}

/** What is held while the paper is drawn on. */
export interface PenSurface {
  tool: PenTool | null
  colour: PenColour
  stamp: PenStamp | null
  choose: (tool: PenTool | null) => void
  setColour: (colour: PenColour) => void
  setStamp: (stamp: PenStamp) => void
  /** Once there was one, fingers scroll: a hand that rests on the glass draws nothing. */
  stylus: RefObject<boolean>
  /** Fingers on the paper, by pointer. */
  fingers: RefObject<Map<number, { x: number; y: number }>>
}

export function usePenSurface(): PenSurface {
  const [tool, choose] = useState<PenTool | null>(null)
  const [colour, setColour] = useState<PenColour>('red')
  const [stamp, setStamp] = useState<PenStamp | null>(null)
  const stylus = useRef(false)
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  return {
    ...{ tool, colour, stamp, choose, setColour, stylus, fingers },
    setStamp: (next) => {
      setStamp(next)
      choose('stamp')
    },
  }
}
