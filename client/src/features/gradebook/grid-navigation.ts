import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { useCallback } from 'react'

/** In px; `GradebookGrid.module.css` has them too. */
export const SIZES = { row: 48, head: 116, column: 144 }

/** Names and totals. */
export const FIXED = 2

/** Row −1 is the heading, column 0 the names, 1 the totals. */
export interface Place {
  row: number
  column: number
}

export function useRangeWith(index: number) {
  return useCallback(
    (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), index])]
        .filter((one) => one >= 0 && one < range.count)
        .sort((a, b) => a - b),
    [index],
  )
}

/** Scrolls as little as shows it beside the frozen columns. */
export function showCell(box: HTMLElement, focused: HTMLElement): void {
  const isFrozen = (element: Element) => getComputedStyle(element).position === 'sticky'
  const cell = focused.closest('[aria-colindex]') ?? focused
  const [area, own] = [box.getBoundingClientRect(), cell.getBoundingClientRect()]
  if (!focused.closest('[aria-rowindex="1"]'))
    box.scrollTop +=
      Math.min(0, own.top - area.top - SIZES.head) + Math.max(0, own.bottom - area.top - box.clientHeight)
  if (isFrozen(cell)) return
  const frozen = [...box.querySelectorAll('[role=columnheader]')].slice(0, FIXED).filter(isFrozen)
  const edge = frozen.at(-1)?.getBoundingClientRect().right ?? area.left
  box.scrollLeft += Math.min(0, own.left - edge) + Math.max(0, own.right - area.left - box.clientWidth)
}

export function placeAfter(
  key: string,
  ctrl: boolean,
  { row, column }: Place,
  { page, rows, columns }: { page: number; rows: number; columns: number },
): Place | null {
  if (key === 'Home') return { row: ctrl ? 0 : row, column: 0 }
  if (key === 'End') return { row: ctrl ? rows - 1 : row, column: columns - 1 }
  if (ctrl) return null
  if (key === 'ArrowUp') return { row: row - 1, column }
  if (key === 'ArrowDown') return { row: row + 1, column }
  if (key === 'ArrowLeft') return { row, column: column - 1 }
  if (key === 'ArrowRight') return { row, column: column + 1 }
  if (key === 'PageUp') return { row: Math.max(0, row - page), column }
  return key === 'PageDown' ? { row: row + page, column } : null
}
