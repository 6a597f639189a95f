import { useCallback, useState } from 'react'

export interface HighlightSelection {
  /** What is being looked at: a criterion, or a reason for review. */
  selected: string | null
  /** What the pointer is over, on the paper or in the card. */
  hovered: string | null
  /** What the paper should bring into view; a new object each time. */
  scrollTarget: { group: string } | null
  /** From the card: the paper follows. */
  selectInCard: (group: string) => void
  /** From the paper, where it is in view already. */
  selectOnPaper: (group: string) => void
  hover: (group: string | null) => void
  /** Brings it into view on the paper, and leaves the card where it is. */
  showOnPaper: (group: string) => void
}

/** The card and the paper show the same places; this is the current one. */
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
