/**
 * Words that do not describe a topic: articles, pronouns, prepositions, auxiliary verbs and question words.
 * Folded, as terms are. Words that name something in any wiki (page, home, help) are not among them.
 */
const LISTS = {
  en: 'a about above after again all also am an and another any are as at be because been before being below between both but by can cannot could did do does doing don down during each either etc ever every few for from further get gets getting give given go goes going got had has have having he her here hers him his how i if in into is it its itself just let lets like make makes many may me mean might mine more most much must my need needed needs never no nor not now of off on once one only or other our ours out over own please put same say see shall she should so some something still such than thanks that the their them then there these they thing things this those through to too under until up upon us use used uses using very want wants was way we well were what whatever when where whether which while who whom whose why will wish with within without won would yet you your yours yourself',
  de: 'ab aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bin bis bist bitte da dabei damit dann daran darauf das dass dein deine dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines einige er es etwas euch euer fur ganz geht gibt haben habe hat hatte hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst kein keine keinen konnen konnte machen macht man mehr mein meine meinem meinen meiner mich mir mit mochte muss mussen nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine sich sie sind so soll sollen sollte sondern uber um und uns unser unsere unter vom von vor wann war warum was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wo wofur wollen worden wurde wurden zu zum zur zwischen',
  es: 'a ademas ahora al algo alguien algun alguna algunas algunos ante antes aqui asi aun aunque bajo bien cada como con contra cosa cosas cual cuales cualquier cuando cuanto de deben debe debo deja del desde despues donde dos durante e el ella ellas ellos en entonces entre era eran eres es esa esas ese eso esos esta estan estar estas este esto estos estoy fue fueron ha haber habia hacer hace hacen hacia hago han hasta hay he la las le les lo los mas me mi mis mismo mucho muy nada ni no nos nosotros nuestra nuestro nunca o os otra otras otro otros para pero poder podemos por porque puede pueden puedo que quien quienes quiero quiere se sea segun ser si sin sobre solo son soy su sus tal tambien tan tanto te tener tengo ti tiene tienen todas todo todos tu tus un una unas uno unos usted ustedes ver vez y ya yo',
  fr: 'a afin ai ainsi alors apres as au aucun aucune aussi autre autres aux avait avant avec avez avoir avons beaucoup bien c car ce ceci cela celle celles celui ces cet cette ceux chaque chez comme comment d dans de deja depuis des doit doivent donc dont du elle elles en encore entre es est et etaient etait etant ete etes etre eu eux faire fais fait faites faut fut ici il ils j je jusqu jusque l la laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui m ma mais me meme memes mes moi moins mon n ne ni non nos notre nous on ont ou par parce parmi pas pendant peu peut peuvent peux plus plusieurs pour pourquoi puis puisque qu quand que quel quelle quelles quelque quelques quels qui quoi s sa sans se selon sera seront ses si soit sommes son sont souhaite sous suis sur t ta te tes toi ton tous tout toute toutes tres tu un une va vers veut veux voici voila vos votre voudrais vous y',
  pt: 'a agora ainda alem algo alguem algum alguma algumas alguns ao aos apenas apos aquela aquelas aquele aqueles aqui aquilo as assim ate cada com como contra da das de dela delas dele deles depois desde dessa desse desta deste deve devem devo disso disto do dos e ela elas ele eles em enquanto entao entre era eram essa essas esse esses esta estao estar estas estava este estes estou eu faco faz fazem fazer foi foram ha isso isto ja la lhe lhes lo mais mas me mesma mesmo meu meus minha minhas muita muito muitos na nao nas nem nenhum nenhuma nessa nesse nesta neste no nos nossa nosso nossos num numa nunca o onde os ou outra outras outro outros para pela pelas pelo pelos pode podem podemos poder pois por porque posso quais qual qualquer quando quanto que quem quer quero se seja sem sempre sendo ser sera seu seus sim so sobre sua suas tal tambem tao te tem temos tenho ter teve toda todas todo todos tu tua tudo um uma umas uns vai voce voces',
  ru: 'а без более больше будет будто бы был была были было быть в вам вас ведь весь во вот все всего всех всю вы где да даже для до его ее если есть еще же за здесь зачем и из или им их к как какая какие какой когда кого которая которое которые который которых кто куда ли либо между меня мне много может можно мои мой моя мы на над надо нам нас наш не него нее нельзя нет ни них но ну нужно о об один однако он она они оно от очень по под почему при про раз с сам свои свой своих своего своей себя со так также такие такой там те тем то того тоже той только том тот ты у уже хочу хотя чего чем что чтобы чтоб чужие эта эти это этого этой этом этот этих я',
} as const;

/** A language whose stop words are in these lists. */
export type ListedLanguage = keyof typeof LISTS;

export const LISTED_LANGUAGES = Object.keys(LISTS) as ListedLanguage[];

export function isStopWord(language: string, term: string): boolean {
  return languagesOf(term).includes(language as ListedLanguage);
}

/** The languages in which a term is a stop word. */
export function languagesOf(term: string): readonly ListedLanguage[] {
  return byTerm().get(term) ?? [];
}

/** Built on first use: a process that only reads pages does not need it. */
function byTerm(): ReadonlyMap<string, readonly ListedLanguage[]> {
  if (known !== null) return known;
  const languages = new Map<string, ListedLanguage[]>();
  for (const language of LISTED_LANGUAGES) {
    for (const term of LISTS[language].split(' ')) {
      const others = languages.get(term);
      if (others === undefined) languages.set(term, [language]);
      else others.push(language);
    }
  }
  known = languages;
  return languages;
}

let known: ReadonlyMap<string, readonly ListedLanguage[]> | null = null;
