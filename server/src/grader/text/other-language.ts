const OTHER = new Set(
  `le la les un une du des et est sont je il elle nous vous ils elles ne pas que qui dans sur avec pour au aux mon ma mes sa ses ce cette leur
  el los las una es y del en con por para su al lo yo ella nosotros muy der das ein eine einen und ist sind ich du er sie wir nicht mit auf für
  zu den dem von wird haben gli di che non per mio sono è`.split(/\s+/),
)
const ENGLISH = new Set(
  `the of and to is are was it that for on with as be this by from at not which my we he she you they a an or has have what how`.split(
    /\s+/,
  ),
)
const LEAST = 2

/** One ending makes such an answer wrong, which stems do not show. */
export function isOtherLanguage(text: string): boolean {
  return text.split(/\n+|(?<=[.?!])\s/).some((line) => {
    const words = line.toLowerCase().match(/\p{L}+/gu) ?? []
    const other = new Set(words.filter((word) => OTHER.has(word))).size
    const english = new Set(words.filter((word) => ENGLISH.has(word))).size
    return other >= LEAST && other > english
  })
}
