/**
 * What the name of a column says in English, German, French and Spanish: a setting, an outcome, a cost, a note, a
 * counter, or something that happened. Stems match inside words, because German joins them; short words match whole.
 */

/** Characters that are looked at. The patterns take the square of a name's length, or more. */
const longestName = 300;

/** Lower-case words of a name without its unit: "Zugfestigkeit [MPa]" gives "zugfestigkeit". */
export function wordsOf(name: string): string[] {
  return wordsIn(withoutUnit(name.slice(0, longestName)));
}

/** The unit in the name's brackets, or after its last slash, comma or underscore: "MPa"; empty if there is none. */
export function unitIn(name: string): string {
  if (name.length > longestName) return '';
  const bracket = /[([{]\s*([^()[\]{}]*?)\s*[)\]}]\s*$/u.exec(name);
  if (bracket) return bracket[1]!;
  if (/%\s*$/.test(name)) return '%';
  const tail =
    /(?:\s+in\s+|[/,_]\s*|\s)(%|pct|percent|prozent|[µum]?g|kg|m?l|mpa|kpa|bar|°c|rpm|min|h|s)\s*$/iu;
  return tail.exec(name)?.[1] ?? '';
}

function withoutUnit(name: string): string {
  const bare = name.replaceAll(/[([{][^()[\]{}]*[)\]}]/gu, ' ').trim();
  return bare === '' ? name : bare;
}

function wordsIn(text: string): string[] {
  return text
    .normalize('NFC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}#]+/u)
    .filter((word) => word !== '');
}

const outcomeWords =
  /^(?:yields?|ertrag|purity|pureté|purete|pureza|conversion|conversión|konversion|selectivity|sélectivité|selectividad|impurity|impurities|impureté|impureza|byproducts?|titer|titre|titulo|potency|recovery|slump|hardness|dureté|durete|dureza|strength|efficiency|effizienz|efficacité|eficiencia|productivity|throughput|roughness|shrinkage|defects?|scrap|ee|er|dr|sty|ton|tof|auc|ic50|ec50|score|rating|response|réponse|respuesta|results?|résultat|resultado|outcome|measured|gemessen|mesuré|medido|final|std|stdev|sd|rsd|sem|rmse|mae|error|err|erreur|residual|fitness|reward|accuracy|signal|responses|observed|product|endpoint)$/;
const outcomeStems =
  /ausbeute|rendement|rendimiento|reinheit|umsatz|selektivit|verunreinigung|nebenprodukt|festigkeit|härte(?!r)|haerte(?!r)|viskosit|viscosit|viscosid|wirkungsgrad|ergebnis|messwert|fehler|rauheit|rauigkeit|schwindung|ausschuss|qualität|bewertung|elongation|dehnung|toughness|zähigkeit|modulus|absorbance|whiteness|crispness|acceptab|corrosion|korrosion|corrosión|wachstum|croissance|crecimiento|geschmack|bruchlast|breaking/;
/** Less of these is better. */
const costWords =
  /^(?:cost|costs|kosten|coût|cout|coûts|costo|costos|coste|costes|price|preis|prix|precio|loss|losses|error|err|erreur|rmse|mae|defects?|waste|impurity|impurities|impureté|impureza|byproducts?|scrap|shrinkage|emissions?|roughness|toxicity|consumption|latency|failures?|rejects?|rsd|sd|std|stdev)$/;
const costStems = /kosten|verunreinigung|nebenprodukt|fehler|ausschuss|schwindung|rauheit|rauigkeit|verlust/;
/** "Ionic strength" is set, not measured. */
const setStrength = /^(?:ionic|field|acid|ink|magnetic|buffer|solution|feed|reagent|ionen\S*)$/;

const settingWords =
  /^(?:t|temp|temperature|température|temperatura|time|zeit|temps|tiempo|duration|dauer|durée|ph|ratio|speed|velocity|vitesse|velocidad|rpm|stirring|rate|pressure|pression|presión|presion|catalyst|cat|catalyseur|catalizador|solvent|solvant|disolvente|base|ligand|acid|additive|aditivo|reagent|substrate|equiv|equivalents|eq|loading|dose|dosis|dosage|feed|volume|vol|volumen|mass|masse|masa|weight|power|voltage|current|humidity|thickness|depth|width|height|length|layer|infill|nozzle|age|water|agua|eau|wasser|fraction|amount|quantity|quantité|cantidad|conc|concentration|concentración|setpoint|set|angle|frequency|gap|material|method|type|mode|variety|fertilizer|nitrogen|irrigation|sugar|salt|flour|yeast|butter|oil|milk|egg|cement|sand|inoculum|medium|media|light|load|cycles?|steps?|passes|coating|tool|line|oven|reactor|size|diameter|distance|spacing|density|charge|polymer|monomer|initiator|crosslinker|surfactant|filler|fiber|fibre|pigment|binder|resin|hardener|slag|ash|plasticizer|superplasticizer|alloy|carbon|fan|gas|air|oxygen|hydrogen|co2)$/;
const settingStems =
  /temperatur|geschwindigkeit|drehzahl|druck|katalysator|lösungsmittel|loesungsmittel|konzentration|concentra|menge|anteil|dauer|verhältnis|verhaeltnis|säure|saeure|zusatz|dosier|leistung|spannung|feuchte|dicke|breite|länge|laenge|höhe|hoehe|schicht|härter|haerter|harz|füllstoff|fuellstoff|volumenstrom|durchfluss|velocid|presión|presion|catalizador|disolvente|zucker|mehl|hefe|dünger|duenger|gehalt|flowrate|setting|stirr|rühr/;

const noteStems =
  /^(?:bemerkung|anmerkung|kommentar|remark|notes?$|notiz|comment|observacion|observación|observations?$|remarque|commentaire|beobachtung|description$|beschreibung|descripción|memo$|hinweis)/;
const contextWords =
  /^(?:operator|operators|bediener|opérateur|operateur|operador|operario|analyst|analyste|analista|technician|techniker|technicien|técnico|tecnico|bearbeiter|laborant|laborantin|chemiker|prüfer|chemist|scientist|researcher|experimenter|chimiste|químico|quimico|turno|équipe|equipe|worker|person|user|lab|laboratory|labor|site|plant|machine|maschine|máquina|instrument|gerät|device|shift|schicht|day|tag|jour|día|dia|weekday|wochentag|month|monat|mois|mes|season|saison|week|woche|semaine|semana|batch|charge|lot|los|lote|plate|platte|weather|wetter|campaign|kampagne|block|rack|well|position)s?$/;
const counterWords =
  /^(?:id|ids|idx|index|uuid|guid|key|nr|no|num|number|nummer|numero|número|n°|nº|row|rownames?|serial|barcode|entry|eintrag|entrée|entrada|run|runs|lauf|exp|expt|experiment|expérience|experimento|sample|probe|proben|échantillon|echantillon|muestra|trial|test|versuch|versuche|essai|ensayo|prueba|corrida|lfd|laufende|pos|order|std|zeile|ligne|fila|#|obs|case|reaction|rxn|reaktion|unnamed)$/;
const fillers = /^(?:id|nr|no|num|number|nummer|numero|número|name|code|key|index|the|\d+|#|lfd)$/;

const some = (words: readonly string[], ...patterns: RegExp[]) =>
  words.some((word) => patterns.some((pattern) => pattern.test(word)));

export function saysCost(name: string): boolean {
  return some(wordsOf(name), costWords, costStems);
}

export function saysOutcome(name: string): boolean {
  const words = wordsOf(name);
  if (words.includes('strength') && some(words, setStrength)) return false;
  // "product" and "final" alone say little; "std order" counts rows
  const telling = words.filter((word) => !/^(?:product|std|ton|er|dr|signal)$/.test(word));
  return some(telling, outcomeWords, outcomeStems, costWords, costStems);
}

export function saysSetting(name: string): boolean {
  return some(wordsOf(name), settingWords, settingStems);
}

export function saysNote(name: string): boolean {
  return some(wordsOf(name), noteStems);
}

/** Every word is one of happenings: "batch no" is a context, "batch size" a setting. */
export function saysContext(name: string): boolean {
  const words = wordsOf(name).filter((word) => !fillers.test(word));
  return words.length > 0 && words.every((word) => contextWords.test(word));
}

/** Every word counts or names rows: "Lfd. Nr." does, "number of cycles" does not. */
export function saysCounter(name: string): boolean {
  const words = wordsOf(name);
  return (
    words.length > 0 &&
    words.every((word) => counterWords.test(word) || /^\d+$/.test(word)) &&
    words.some((word) => counterWords.test(word))
  );
}

/** A name that says nothing: x3, a, B2, var7, factor 4. */
export function isGeneric(name: string): boolean {
  return /^(?:\p{L}{1,2}\d*|(?:x|var|factor|faktor|facteur|input|feature|param|parameter|col|column|component|comp|part|ingredient|attr|f|v)[\s_.-]*\d+)$/iu.test(
    name.trim(),
  );
}

/** A name but for its last number: y1 and y2 are siblings. */
export function stemOf(name: string): string {
  if (name.length > longestName) return name;
  return withoutUnit(name)
    .toLowerCase()
    .replace(/[\s_.-]*\d+$/, '');
}
