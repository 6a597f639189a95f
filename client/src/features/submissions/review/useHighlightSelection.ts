import { useCallback, useState } from 'react'

export interface HighlightSelection {
  /** A criterion, or a reason for review. */
  selected: string | null
  hovered: string | null
  /** What the paper should bring into view; a new object each time. */
  scrollTarget: { group: string } | null
  selectInCard: (group: string) => void
  selectOnPaper: (group: string) => void
  hover: (group: string | null) => void
  showOnPaper: (group: string) => void
}

export function useHighlightSelection(): HighlightSelection {
  const [chosen, setChosen] = useState<string | null>(null)
  const [pointed, point] = useState<string | null>(null)
  const [look, setLook] = useState<HighlightSelection['scrollTarget']>(null)
  const chooseInCard = useCallback((group: string) => {
    setChosen(group)
    setLook({ group })
  }, [])
  const showOnPaper = useCallback((group: string) => {
    point(group)
    setLook({ group })
  }, [])
  return {
    showOnPaper,
    selected: chosen,
    hovered: pointed,
    scrollTarget: look,
    selectInCard: chooseInCard,
    selectOnPaper: setChosen,
    hover: point,
  }
}
