/** Irregular verbs and nouns, by their first form. */
const IRREGULAR = `
  bacterium: bacteria; become: became; begin: began begun; bend: bent; bind: bound; blow: blew blown; break: broke broken; bring: brought;
  build: built; burn: burnt; buy: bought; catch: caught; child: children; choose: chose chosen; come: came; criterion: criteria; deal:
  dealt; dig: dug; draw: drew drawn; drink: drank drunk; drive: drove driven; eat: ate eaten; fall: fell fallen; feed: fed; feel: felt;
  fight: fought; find: found; fly: flew flown; foot: feet; forget: forgot forgotten; freeze: froze frozen; fungus: fungi; get: got gotten;
  give: gave given; go: went gone goes; goose: geese; grow: grew grown; half: halves; hang: hung; hear: heard; hide: hid hidden; hold: held;
  hypothesis: hypotheses; keep: kept; know: knew known; larva: larvae; lay: laid; lead: led; learn: learnt; light: lit; lose: lost; make: made; man:
  men; mean: meant; meet: met; mouse: mice; nucleus: nuclei; pay: paid; phenomenon: phenomena; ride: rode ridden; ring: rang rung; rise:
  rose risen; run: ran; say: said; see: saw seen; seek: sought; sell: sold; send: sent; shake: shook shaken; shine: shone; shoot: shot;
  show: shown; shrink: shrank shrunk; sing: sang sung; sink: sank sunk; sleep: slept; slide: slid; speak: spoke spoken; spend: spent; spin:
  spun; spring: sprang sprung; stand: stood; stick: stuck; strike: struck; sweep: swept; swell: swollen; swim: swam; swing: swung; take:
  took taken; teach: taught; tear: tore torn; tell: told; think: thought; throw: threw thrown; tooth: teeth; understand: understood; vertex:
  vertices; wake: woke woken; wear: wore worn; win: won; wolf: wolves; woman: women; write: wrote written`

/** Comparatives: “bigger” says “big”, where one would need to know that “water” is no comparative of “wat”. */
const COMPARATIVES = `
  bad: worse worst; big: bigger biggest; bright: brighter brightest; cheap: cheaper cheapest; close: closer closest; cold: colder coldest; cool: cooler coolest;
  dark: darker darkest; deep: deeper deepest; dense: denser densest; dry: drier driest; easy: easier easiest; fast: faster fastest; full:
  fuller fullest; good: better best; great: greater greatest; hard: harder hardest; heavy: heavier heaviest; high: higher highest; hot:
  hotter hottest; large: larger largest; light: lighter lightest; long: longer longest; loose: looser loosest; loud: louder loudest;
  low: lower lowest; narrow: narrower narrowest; near: nearer nearest; new: newer newest; old: older oldest; poor: poorer poorest; quick: quicker quickest; quiet: quieter quietest; rich: richer
  richest; rough: rougher roughest; safe: safer safest; shallow: shallower shallowest; sharp: sharper sharpest; short: shorter shortest; simple: simpler simplest; slow:
  slower slowest; small: smaller smallest; smooth: smoother smoothest; soft: softer softest; steady: steadier; steep: steeper steepest;
  strong: stronger strongest; tall: taller tallest; thick: thicker thickest; thin: thinner thinnest; tight: tighter tightest; warm: warmer
  warmest; weak: weaker weakest; wet: wetter wettest; wide: wider widest; young: younger youngest`

/** Pupils write them either way. */
const NUMBERS = '0: zero; 1: one; 2: two; 3: three; 4: four; 5: five; 6: six; 7: seven; 8: eight; 9: nine; 10: ten'

const bases = new Map(
  [IRREGULAR, COMPARATIVES, NUMBERS].flatMap((list) =>
    list.split(';').flatMap((entry) => {
      const [base = '', forms = ''] = entry.split(':').map((part) => part.trim())
      return forms.split(/\s+/).map((form): [string, string] => [form, base])
    }),
  ),
)

/** A word's first form where it is irregular: “grown” is “grow”, “teeth” is “tooth”, “two” is “2”; else the word itself. */
export const baseFormOf = (word: string): string => bases.get(word) ?? word
