import type { PenColour, PenMark, PenMarkContent } from '@assay/shared/pen-marks.ts'
import { type RefObject, useRef, useState } from 'react'

export type PenTool = 'ink' | 'highlight' | 'text' | 'tick' | 'cross' | 'stamp' | 'eraser'

/** `item_id` is the rubric item that the stamp gives. */
export interface PenStamp {
  item_id: number
  text: string
}

export interface Pen {
  marks: readonly PenMark[]
  /** Null for who may only look. */
  edit: PenEditing | null
}

export interface PenEditing {
  add: (content: PenMarkContent) => void
  erase: (id: string) => void
  undo: (() => void) | null
  problem: { message: string; count: number; retry: () => void } | null
  stamps: readonly PenStamp[] | null
}

export interface PenSurface {
  tool: PenTool | null
  colour: PenColour
  stamp: PenStamp | null
  choose: (tool: PenTool | null) => void
  setColour: (colour: PenColour) => void
  setStamp: (stamp: PenStamp) => void
  /** Once there was one, fingers scroll: a hand that rests on the glass draws nothing. */
  stylus: RefObject<boolean>
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
