import { stemOf } from './terms.ts'

/**
 * Everyday words that mostly replace each other in a pupil's sentence, from common English and no data set; words may
 * be in several groups. Subject terms (speed and velocity, force and power) are not merged.
 */
const GROUPS = `
  able capable; about approximately around roughly; above over; absorb soak; accept agree; accurate exact precise; add increase; allow let
  permit enable; alone single; amount quantity number; angry mad; answer reply respond; appear seem; area region zone; ask request; attach
  fasten; back rear; bad poor; balance equilibrium; base bottom; bear carry hold support; begin start commence; below beneath under
  underneath; bend curve; best ideal; big large huge great; bit piece; break damage destroy; bright shiny; bring carry take; build
  construct; buy purchase; call name; cause reason; center middle centre; change alter vary modify; cheap inexpensive; check verify confirm
  test; child kid; choose pick select; circle round; clean pure; clear transparent; climb rise; close near nearby; close shut; cold cool;
  collect gather; combine mix blend; common usual normal; complete full whole entire; compose consist; conclude infer; connect join attach
  link; contain include hold; copy duplicate; correct right true; cover coat; create make produce form; danger risk; dangerous harmful; dark
  black; dead die; decide determine; decrease reduce drop lower lessen shrink; depend rely; describe explain; develop grow; different
  differ; difficult hard; dirt soil ground; discover find; distant far; divide split; eat consume; easy simple; edge border; effect result
  outcome consequence; empty vacant; end finish stop; enough sufficient; equal same equivalent; error mistake fault; escape leave; essential
  necessary important; fall drop sink; false wrong incorrect; fast quick rapid quickly; fat thick; fix repair; flow run stream; get receive
  obtain gain acquire; give provide supply; go move travel; guess predict; happen occur; help assist aid; hit strike; hold keep; hole gap
  opening; home house shelter; hot warm; identical same; identify recognize; idea thought; important significant; improve better; increase
  rise grow raise; information data; job task; keep retain stay remain maintain; kind type sort; know understand; last final; less fewer;
  level height; lift raise; light bright; like similar alike; limit restrict; little small tiny; live survive; locate find; location place
  spot position site; look see observe view notice; lose loss; loud noise; machine device; many several lots; material substance matter;
  mean indicate; method way; modern new; movement motion; narrow thin; need require; noise sound; object thing item; often frequent
  frequently; old ancient; part piece section portion; path route way; people person human someone; picture image; place put set; point dot;
  prevent stop block avoid; process procedure; protect guard safe defend; prove show; pull drag; push press; quality property
  characteristic; quiet silent; reach touch; real actual; remove delete; repeat again; rest remainder; rock stone; rotate turn spin; rule
  law; save store; sea ocean; send transmit; separate divide; shake vibrate; shape form; show indicate demonstrate display reveal; sick ill;
  slide slip; slow slowly; smart intelligent; smooth flat; speed rate; spread scatter; steady constant; street road; strong powerful;
  surface top; sustain support; swap exchange; think believe; touch contact; trial experiment test; try attempt; unchanged same; use utilize
  employ; usually generally; value worth; visible seen; wait delay; want desire; warn alert; wet damp moist; wide broad; work function
  operate; write record`

const neighbours = new Map<string, Set<string>>()
for (const group of GROUPS.split(';')) {
  const stems = group.trim().split(/\s+/).map(stemOf)
  for (const stem of stems) {
    const others = neighbours.get(stem) ?? new Set()
    for (const other of stems) if (other !== stem) others.add(other)
    neighbours.set(stem, others)
  }
}

const NONE: ReadonlySet<string> = new Set()

export const synonymsOf = (stem: string): ReadonlySet<string> => neighbours.get(stem) ?? NONE
