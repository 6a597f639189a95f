import { CollisionPriority } from '@dnd-kit/abstract'
import { Accessibility, PointerActivationConstraints } from '@dnd-kit/dom'
import { DragDropProvider, type DragEndEvent, PointerSensor, useDraggable, useDroppable } from '@dnd-kit/react'
import type { ReactNode } from 'react'

/** `paper` null: among the dropped pages; no page: at the end. */
export interface DropPlace {
  paper: string | null
  before: string | null
}

interface Props {
  children: ReactNode
  move: (page: string, place: DropPlace) => void
}

/** A press that does not move is a click, and a finger that moves at once scrolls. */
const sensors = [
  PointerSensor.configure({
    activationConstraints: (event) =>
      event.pointerType === 'touch'
        ? [new PointerActivationConstraints.Delay({ value: 250, tolerance: 5 })]
        : [new PointerActivationConstraints.Distance({ value: 6 })],
  }),
]

/** For mouse and fingers; by keyboard pages are moved by menus. */
export function PageDragging({ children, move }: Props) {
  function end({ canceled, operation: { source, target } }: DragEndEvent) {
    const place = placeOf(target?.data)
    if (!canceled && source && place && place.before !== source.id) move(String(source.id), place)
  }
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={(plugins) => plugins.filter((plugin) => plugin !== Accessibility)}
      onDragEnd={end}
    >
      {children}
    </DragDropProvider>
  )
}

function placeOf(data: Record<string, unknown> | undefined): DropPlace | null {
  const key = (value: unknown) => (typeof value === 'string' ? value : null)
  return data ? { paper: key(data.paper), before: key(data.before) } : null
}

export function usePageDrag(page: string, paper: string | null, disabled: boolean) {
  const drag = useDraggable({ id: page, disabled })
  const drop = useDroppable({
    id: `before ${page}`,
    data: { paper, before: page },
    collisionPriority: CollisionPriority.High,
    disabled,
  })
  return {
    ref: (element: Element | null) => {
      drag.ref(element)
      drop.ref(element)
    },
    handleRef: drag.handleRef,
    isDragged: drag.isDragSource,
    isTarget: drop.isDropTarget && !drag.isDragSource,
  }
}

export function usePagesDrop(paper: string | null, disabled: boolean) {
  const { ref, isDropTarget } = useDroppable({
    id: `end of ${paper ?? 'dropped pages'}`,
    data: { paper, before: null },
    collisionPriority: CollisionPriority.Low,
    disabled,
  })
  return { ref, isTarget: isDropTarget }
}
