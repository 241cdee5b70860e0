/**
 * Words of street names that people write in more than one way, by language: `full short short; full short; …`.
 * A short form may stand for several full ones (`st`: street, saint); matching tries each. Directions and ordinals too.
 * Written as people write them; words.ts folds them. Why a table of our own: docs/addresses.md.
 */
export const equivalents: Readonly<Record<string, string>> = {
  en: `street st str; saint st; avenue ave av aven; road rd; drive dr; doctor dr; boulevard blvd boul bvd; lane ln;
    court ct; place pl; square sq; terrace ter terr; parkway pkwy pky; highway hwy; circle cir; crescent cres;
    close cl; gardens gdns; garden gdn; grove gr grv; trail trl; way wy; alley aly; plaza plz; route rte rt;
    mount mt; mountain mtn; fort ft; point pt; heights hts; hill hl; park pk; bridge br; center centre ctr;
    expressway expy; freeway fwy; turnpike tpke; junction jct; station stn; valley vly; view vw; ridge rdg;
    north n; south s; east e; west w; northeast ne; northwest nw; southeast se; southwest sw; upper upr; lower lwr;
    great gt; little lt; county co; martin ml; 1 first; 2 second; 3 third; 4 fourth; 5 fifth; 6 sixth; 7 seventh;
    8 eighth; 9 ninth; 10 tenth; 11 eleventh; 12 twelfth; mews ms; promenade prom; esplanade esp; causeway cswy`,
  de: `straße strasse str; gasse g; platz pl; weg wg; allee al; chaussee ch; damm d; brücke br; bahnhof bhf bf;
    hauptbahnhof hbf; sankt st skt; doktor dr; professor prof; ingenieur ing; groß gr; große gr; großer gr;
    klein kl; kleine kl; kleiner kl; obere ob; unterer unt; untere unt; heiligen hl; siedlung sdlg; nord n; süd s;
    ost o; bürgermeister bgm bürgerm; von v; general gen; graf gf`,
  fr: `rue r; avenue av ave; boulevard bd bld boul bvd; place pl; square sq; chemin ch che chem; impasse imp;
    allée all; allées all; route rte; quai q; cours crs; passage pas pass; faubourg fg fbg; saint st; sainte ste;
    docteur dr; général gal gén; maréchal mal mar; président pdt prés; professeur pr prof; résidence rés;
    lotissement lot; lieu-dit ld; zone z; nord n; sud s; est e; ouest o; montée mte; esplanade esp; villa vla;
    commandant cdt; capitaine cne; colonel col; grand gd; grande gde; petit pt; petite pte; vieux vx; notre nd`,
  es: `calle c cl cll; avenida av avd avda ave; paseo pso pº po; plaza pza plza pl; carretera ctra crta cra;
    camino cno cmno; callejón cjon; bulevar blvr bvar blvd bv; boulevard bvar blvd bv; pasaje pje psje; ronda rda;
    travesía trva trv; rambla rbla; diagonal dg diag; transversal tv transv; carrera cra kr kra cr; doctor dr;
    doctora dra; general gral gen; coronel cnel; capitán cap; comandante cte cmte; teniente tte; presidente pte pdte;
    ingeniero ing; profesor prof; señora sra; nuestra ntra nª; san s sn; santa sta; santo sto; norte n; sur s;
    este e; oeste o; urbanización urb; barrio bo; autopista autop; circunvalación circ; almirante alte; don d;
    18 dieciocho; 25 veinticinco; libertador lib; mariscal mcal; arquitecto arq; padre p; fray fr; sargento sgto`,
  pt: `rua r; avenida av avd; praça pç pc pca; travessa tv trav; alameda al; largo lg lgo; estrada estr est;
    rodovia rod; beco bc; calçada cç calc; doutor dr; doutora dra; professor prof; professora profa; general gen;
    coronel cel; capitão cap; marechal mal; presidente pres; engenheiro eng; dom d; dona d; são s; santa sta;
    santo sto; comendador com comend; almirante alm; padre pe; quinta qta; urbanização urb; conselheiro cons;
    visconde visc; norte n; sul s; leste l; oeste o; bairro bro; jardim jd`,
  it: `via v; viale vle v.le; piazza pza pzza p.za p.zza; piazzale ple p.le p.zle; corso cso c.so; largo lgo l.go;
    vicolo vlo v.lo vic; strada str; stradone strd; borgo bgo b.go; contrada cda c.da; località loc; frazione fraz;
    fondamenta fta; ponte pte p.te; salita sal; lungomare lmare; san s; santa s sta; santo s sto; santi ss;
    dottore dott; generale gen; giovanni g; giuseppe g; monsignor mons; nazionale naz; provinciale prov; statale stat`,
  nl: `straat str; laan ln; plein pl; weg wg; gracht gr; kade kd; dijk dk; singel sgl; dwarsstraat dwstr;
    burgemeester burg; professor prof; doctor dr; dokter dr; dominee ds; meester mr; koning kon; koningin kon;
    generaal gen; admiraal adm; sint st; sinte st; heilige h; oude o; nieuwe n; kleine kl; grote gr; lange l;
    korte k; noord n; zuid z; oost o; west w; boulevard boul; van v; monseigneur mgr; pastoor past; kapitein kap`,
  sv: `gatan g gat; gata g; vägen v vg; väg v; plats pl; platsen pl; stigen st; stig st; torget t; gränd gr;
    sankt s:t st; sankta s:ta sta; norra n; södra s; östra ö; västra v; gamla g:la gla; lilla l:a; stora st:a; kungs k`,
  no: `gata g gt; gate g gt; gaten g gt; veien v vn; vei v; vegen v; veg v; plass pl; plassen pl; terrasse terr;
    doktor dr; professor prof; sankt st; nordre n; søndre s; østre ø; vestre v; store st`,
  da: `gade g gd; vej v; vejen v; allé al; plads pl; stræde str; torv t; sankt skt sct st; gammel gl; ny n; nørre nr;
    nordre ndr; søndre sdr; østre ø; øster ø; vester v; vestre v; store st; lille ll; doktor dr; kongens kgs`,
  fi: `katu k; tie t; kuja kj; polku p; tori tr; aukio auk; kaari kri; ranta rt; rinne rn; raitti r; puisto ps;
    penger pgr; itäinen it; läntinen länt; pohjoinen pohj; eteläinen et; pieni p; iso i; vanha v`,
  is: `gata g; vegur v; stræti str; braut br; torg t; norður n; suður s; austur a; vestur v`,
  et: `tänav tn t; maantee mnt; puiestee pst; tee t; põik p; plats pl; väike v; suur s`,
  lv: `iela i; bulvāris bulv; prospekts pr; laukums lauk; šoseja šos; gatve g; ceļš c`,
  lt: `gatvė g; prospektas pr; alėja al; aikštė a; plentas pl; kelias kel; skersgatvis skg; takas tak`,
  pl: `ulica ul; aleja al; aleje al; plac pl; osiedle os; rondo rdo; skwer skw; świętego św; świętej św;
    generała gen; marszałka marsz; księdza ks; doktora dr; profesora prof; pułkownika płk; majora mjr; kapitana kpt;
    porucznika por; biskupa bp; kardynała kard; prezydenta prez; wielka wlk; mała mł`,
  cs: `ulice ul; třída tř tr; náměstí nám n; nábřeží nábř; svatého sv; doktora dr; generála gen; sídliště sídl;
    jižní již; severní sev; velké vel; malé m; ulička ul`,
  sk: `ulica ul; námestie nám; nábrežie nábr; trieda tr; cesta c; svätého sv; generála gen; sídlisko sídl`,
  hu: `utca u ut; út u; tér t; körút krt; köz k; sétány stny; rakpart rkp rpt; fasor f; sugárút sgt; szent szt;
    alsó a; felső f; doktor dr`,
  ro: `strada str; bulevardul bd bdul bvd blvd b-dul; bulevard bd bvd blvd; calea cal; șoseaua șos; aleea al;
    intrarea intr; piața pța p-ța; splaiul spl; fundătura fnd; sfântul sf; sfânta sf; general gen; doctor dr;
    profesor prof; inginer ing; colonel col; maior mr; căpitan cpt`,
  hr: `ulica ul; trg t; cesta c; avenija av; aleja al; bulevar bul bulv; put p; prolaz prol; svetog sv; svete sv;
    doktora dr; generala gen; kralja kr; kneza kn`,
  sl: `ulica ul; cesta c; trg t; nabrežje nab; svetega sv`,
  bg: `улица ул; булевард бул бул.; площад пл; жилищен ж; комплекс к-с кс; свети св; света св; генерал ген;
    професор проф; доктор д-р; полковник полк; капитан кап`,
  ru: `улица ул; проспект пр пр-т прт пр-кт пркт просп; переулок пер; проезд пр пр-д прд; площадь пл;
    бульвар б-р бр бул бульв; набережная наб; шоссе ш; тупик туп; аллея ал; линия лин; микрорайон мкр мкрн м-н;
    квартал кв-л квл; дорога дор; академика акад ак; генерала ген; маршала марш; профессора проф; имени им;
    большая б бол; большой б бол; малая м мал; малый м мал; нижняя н ниж; верхняя в верх; старая ст; новая нов;
    1-я первая; деревня дер д; посёлок пос п; село с; город г; святого св; северная сев; южная юж`,
  uk: `вулиця вул; проспект пр просп пр-т прт; провулок пров; площа пл; бульвар бул б-р бр; набережна наб; шосе ш;
    проїзд пр; майдан м; узвіз узв; генерала ген; академіка акад`,
  kk: `көшесі көш к; даңғылы даң; алаңы ал; шағынаудан ша мкр; проспектісі пр`,
  el: `οδός οδ; λεωφόρος λεωφ λ λ.; πλατεία πλ πλατ; αγίου αγ; αγίας αγ; παραλία παρ; βασιλέως βασ; στρατηγού στρ`,
  tr: `caddesi cad cd cadde; sokak sk sok; sokağı sk sok; bulvarı bul bulv blv bulvar; mahallesi mah mh;
    meydanı meyd; yolu yl; çıkmazı çık; apartmanı apt; doktor dr; general gen; şehit şht`,
  id: `jalan jl jln; gang gg; lorong lrg; komplek komp; raya ry; timur tim; barat brt; utara ut; selatan sel`,
  ca: `carrer c cr; avinguda av avda; plaça pl pça; passeig pg psg; travessera trav; ronda rda; camí cmi;
    carretera ctra; baixada bda; sant st; santa sta; doctor dr; nostra ntra; senyora sra`,
};
