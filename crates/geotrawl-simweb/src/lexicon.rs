//! Small word lists per language: enough for language detection, readers and similarity hashes to
//! tell pages apart, and themes from which layers get their names.

use crate::charset::PageCharset;

/// Vocabulary for pages and layers in a language.
pub(crate) struct LanguageLexicon {
    /// ISO 639-1 code.
    pub code: &'static str,
    /// Charsets used by pages in this language besides UTF-8.
    pub charsets: &'static [PageCharset],
    /// Whether words are separated by spaces.
    pub spaced: bool,
    /// Words of running text, separated by spaces here.
    pub words: &'static str,
    /// Themes of data: `slug=Title`, separated by `|`.
    pub themes: &'static str,
    /// Section names: `slug=Title`, separated by `|`.
    pub sections: &'static str,
    /// A sentence that introduces services, and one that introduces downloads.
    pub services: &'static str,
    pub downloads: &'static str,
    /// Sample town names, ASCII slugs, for host names and titles.
    pub towns: &'static str,
    /// Rough box in which the language's layers lie: west, south, east, north.
    pub area: [f64; 4],
}

pub(crate) static LEXICONS: &[LanguageLexicon] = &[
    LanguageLexicon {
        code: "en",
        charsets: &[PageCharset::Latin1, PageCharset::Windows1252],
        spaced: true,
        words: "the county and city of new public report with from after year people local council open data market river season school winter street market transport plan budget library museum meeting volunteer history garden weather research station team coastal harvest festival committee project review morning notice visitors bridge station railway survey village community programme summer agreed proposal residents improve quality long term growth small business training",
        themes: "landcover=Land cover|roads=Road network|rivers=Rivers and streams|parcels=Cadastral parcels|elevation=Elevation contours|soils=Soil types|floodzones=Flood zones|airquality=Air quality stations|boundaries=Administrative boundaries|buildings=Building footprints|forests=Forest inventory|bathymetry=Bathymetry|geology=Bedrock geology|ortho=Orthoimagery|wetlands=Wetland inventory|noise=Noise levels",
        sections: "news=News|about=About us|services=Services|data=Data and maps|research=Research|events=Events|projects=Projects|archive=Archive|contact=Contact|publications=Publications",
        services: "The following web services are available for use in your own maps",
        downloads: "Files for download",
        towns: "ashbrook brindale carrowmere dunmarsh eastholm fernleigh grimsford harrowby inverlune kestrel",
        area: [-8.0, 50.0, 2.0, 59.0],
    },
    LanguageLexicon {
        code: "de",
        charsets: &[PageCharset::Latin1, PageCharset::Windows1252],
        spaced: true,
        words: "die der das und für mit aus nach über Gemeinde Bürger Straße Maßnahme Rathaus Sitzung Jahr Haushalt Verein Fluss Brücke Schule Müll Gewässer Förderung Ausschuss Verkehr Planung Öffentlichkeit Beteiligung Termin Antrag Bescheid Wald Naturschutz Feuerwehr Bücherei Museum Ausstellung Forschung Hochschule Institut Ergebnis Bericht neue große kleine wird wurde werden können sollen zwischen während Bevölkerung Gewerbe Fläche Grundstück Entwicklung",
        themes: "bodenrichtwerte=Bodenrichtwerte|flurstuecke=Flurstücke|gewaesser=Gewässernetz|schutzgebiete=Schutzgebiete|hoehenlinien=Höhenlinien|bebauungsplaene=Bebauungspläne|luftbilder=Digitale Orthophotos|verwaltungsgrenzen=Verwaltungsgrenzen|radwege=Radwege|laermkarte=Lärmkartierung|ueberschwemmung=Überschwemmungsgebiete|boden=Bodenübersicht|geologie=Geologische Übersichtskarte|landbedeckung=Landbedeckung|hausnummern=Hauskoordinaten|wald=Waldflächen",
        sections: "aktuelles=Aktuelles|ueber-uns=Über uns|geodienste=Geodienste|karten=Karten und Daten|forschung=Forschung|termine=Termine|projekte=Projekte|archiv=Archiv|kontakt=Kontakt|presse=Presse",
        services: "Folgende Geodienste stehen zur Einbindung in eigene Anwendungen bereit",
        downloads: "Dateien zum Herunterladen",
        towns: "muster-stadt birkenau-feld seehausen altenmoor hohenlinde kaltenbach neudorf-see oberwiesen sandforst talheim",
        area: [6.0, 47.5, 15.0, 55.0],
    },
    LanguageLexicon {
        code: "fr",
        charsets: &[PageCharset::Latin1, PageCharset::Windows1252],
        spaced: true,
        words: "le la les des pour avec dans sur commune conseil séance réunion année été hiver rivière forêt école bibliothèque musée projet étude chercheur université résultat région département marché public données ouvertes carte énergie eau déchets transport vélo piéton rénovation bâtiment création événement fête salle mairie élus habitants qualité développement durable équipe première dernière nouvelle après avant pendant entre",
        themes: "occupation_sol=Occupation du sol|parcelles=Parcelles cadastrales|cours_eau=Cours d'eau|zones_inondables=Zones inondables|reseau_routier=Réseau routier|limites=Limites administratives|orthophotos=Orthophotographies|geologie=Géologie|forets=Forêts publiques|bruit=Carte du bruit|batiments=Bâtiments|plu=Plan local d'urbanisme|littoral=Trait de côte|stations=Stations de mesure",
        sections: "actualites=Actualités|a-propos=À propos|services=Services|cartes=Cartes et données|recherche=Recherche|agenda=Agenda|projets=Projets|archives=Archives|contact=Contact",
        services: "Les flux suivants peuvent être intégrés dans votre logiciel",
        downloads: "Fichiers à télécharger",
        towns: "valbrune montclair-sur-aure saint-ferrand roquelune beauvallon terrenoire pontsec clairmare",
        area: [-4.0, 43.0, 7.5, 50.5],
    },
    LanguageLexicon {
        code: "es",
        charsets: &[PageCharset::Latin1, PageCharset::Windows1252],
        spaced: true,
        words: "el la los las para con desde según año ayuntamiento municipio pueblo río montaña camino escuela biblioteca museo proyecto estudio investigación universidad resultado región provincia mercado público datos abiertos mapa energía agua residuos transporte rehabilitación edificio fiesta reunión sesión vecinos calidad desarrollo sostenible equipo nueva después durante entre también más información niños jóvenes empleo cultura",
        themes: "usos_suelo=Usos del suelo|parcelas=Parcelas catastrales|rios=Red hidrográfica|inundacion=Zonas inundables|carreteras=Red de carreteras|limites=Límites administrativos|ortofotos=Ortofotografía|geologia=Mapa geológico|montes=Montes públicos|ruido=Mapa de ruido|edificios=Edificios|costas=Línea de costa",
        sections: "noticias=Noticias|quienes-somos=Quiénes somos|servicios=Servicios|mapas=Mapas y datos|investigacion=Investigación|agenda=Agenda|proyectos=Proyectos|archivo=Archivo|contacto=Contacto",
        services: "Los siguientes servicios pueden utilizarse en su propio visor",
        downloads: "Ficheros de descarga",
        towns: "villaclara riofrio valdemora puertosol castroverde alamedilla montejara",
        area: [-9.0, 36.0, 3.0, 43.5],
    },
    LanguageLexicon {
        code: "pt",
        charsets: &[PageCharset::Latin1, PageCharset::Windows1252],
        spaced: true,
        words: "o a os as para com desde segundo ano câmara município aldeia rio montanha caminho escola biblioteca museu projeto estudo investigação universidade resultado região distrito mercado público dados abertos mapa energia água resíduos transporte edifício festa reunião sessão moradores qualidade desenvolvimento sustentável equipa nova depois durante entre também mais informação crianças jovens emprego cultura coração avaliação",
        themes: "uso_solo=Uso do solo|cadastro=Cadastro predial|rios=Rede hidrográfica|cheias=Zonas de cheia|estradas=Rede viária|limites=Limites administrativos|ortofotos=Ortofotomapas|geologia=Carta geológica|florestas=Florestas|batimetria=Batimetria",
        sections: "noticias=Notícias|sobre=Sobre nós|servicos=Serviços|mapas=Mapas e dados|projetos=Projetos|arquivo=Arquivo|contacto=Contacto",
        services: "Os serviços seguintes podem ser usados na sua aplicação",
        downloads: "Ficheiros para descarregar",
        towns: "serraverde ribamar pedralva monteclaro aguasmil vilanegra",
        area: [-9.5, 37.0, -6.2, 42.0],
    },
    LanguageLexicon {
        code: "it",
        charsets: &[PageCharset::Latin1, PageCharset::Windows1252],
        spaced: true,
        words: "il lo la gli per con dal secondo anno comune città fiume montagna strada scuola biblioteca museo progetto studio ricerca università risultato regione provincia mercato pubblico dati aperti mappa energia acqua rifiuti trasporto edificio festa riunione seduta cittadini qualità sviluppo sostenibile squadra nuova dopo durante tra anche più informazione bambini giovani lavoro cultura attività società perché già così",
        themes: "uso_suolo=Uso del suolo|particelle=Particelle catastali|idrografia=Reticolo idrografico|alluvioni=Aree alluvionabili|strade=Grafo stradale|confini=Confini amministrativi|ortofoto=Ortofoto|geologia=Carta geologica|boschi=Carta forestale|frane=Inventario dei fenomeni franosi",
        sections: "notizie=Notizie|chi-siamo=Chi siamo|servizi=Servizi|mappe=Mappe e dati|ricerca=Ricerca|progetti=Progetti|archivio=Archivio|contatti=Contatti",
        services: "I servizi seguenti possono essere usati nei propri programmi",
        downloads: "File da scaricare",
        towns: "montefosco valdoria rocca-lunga pianoverde castelnero acquaviva-alta",
        area: [7.0, 37.5, 17.5, 46.5],
    },
    LanguageLexicon {
        code: "nl",
        charsets: &[PageCharset::Windows1252],
        spaced: true,
        words: "de het een van voor met uit naar over gemeente inwoners straat brug school bibliotheek museum project onderzoek universiteit resultaat provincie markt openbaar gegevens kaart energie water afval vervoer gebouw feest vergadering kwaliteit ontwikkeling duurzaam nieuwe daarna tijdens tussen ook meer informatie kinderen jongeren werk cultuur dijk polder haven fiets wijk begroting besluit raad",
        themes: "bodemgebruik=Bodemgebruik|percelen=Kadastrale percelen|waterlopen=Waterlopen|overstroming=Overstromingsgebieden|wegen=Wegennet|grenzen=Bestuurlijke grenzen|luchtfotos=Luchtfoto's|geluid=Geluidsbelasting|natuur=Natuurgebieden|dijken=Waterkeringen",
        sections: "nieuws=Nieuws|over-ons=Over ons|diensten=Diensten|kaarten=Kaarten en data|onderzoek=Onderzoek|projecten=Projecten|archief=Archief|contact=Contact",
        services: "De volgende webservices kunnen in eigen kaarten worden gebruikt",
        downloads: "Bestanden om te downloaden",
        towns: "zandermeer oudwetering noordbroek lageweide veenhuizen duinkerk",
        area: [3.4, 50.8, 7.2, 53.5],
    },
    LanguageLexicon {
        code: "pl",
        charsets: &[PageCharset::Latin2],
        spaced: true,
        words: "gmina powiat województwo mieszkańcy ulica most szkoła biblioteka muzeum projekt badania uczelnia wynik rynek publiczny dane otwarte mapa energia woda odpady transport budynek święto zebranie sesja jakość rozwój zrównoważony zespół nowa podczas między również więcej informacja dzieci młodzież praca kultura rzeka góra droga działka złożony wniosek urząd środowisko ochrona przyrody żołnierz ćwiczenia",
        themes: "dzialki=Działki ewidencyjne|rzeki=Sieć rzeczna|powodz=Zagrożenie powodziowe|drogi=Sieć drogowa|granice=Granice administracyjne|ortofotomapa=Ortofotomapa|geologia=Mapa geologiczna|lasy=Lasy państwowe|halas=Mapa hałasu|gleby=Mapa gleb",
        sections: "aktualnosci=Aktualności|o-nas=O nas|uslugi=Usługi|mapy=Mapy i dane|badania=Badania|projekty=Projekty|archiwum=Archiwum|kontakt=Kontakt",
        services: "Poniższe usługi sieciowe można dołączyć do własnych map",
        downloads: "Pliki do pobrania",
        towns: "zielonagrod borkowice lipnowo nowyborek sosnowa-gora rzecznik",
        area: [14.5, 49.5, 23.5, 54.5],
    },
    LanguageLexicon {
        code: "ru",
        charsets: &[PageCharset::Windows1251],
        spaced: true,
        words: "город район область житель улица мост школа библиотека музей проект исследование университет результат рынок открытые данные карта энергия вода отходы транспорт здание праздник собрание качество развитие команда новая после между также больше информация дети молодёжь работа культура река гора дорога участок заявка администрация охрана природы лес озеро станция наблюдение отчёт год зима лето",
        themes: "rastitelnost=Растительный покров|uchastki=Земельные участки|reki=Речная сеть|dorogi=Дорожная сеть|granicy=Административные границы|snimki=Космические снимки|geologiya=Геологическая карта|lesa=Лесной фонд|merzlota=Вечная мерзлота|led=Ледовая обстановка",
        sections: "novosti=Новости|o-nas=О нас|servisy=Сервисы|karty=Карты и данные|nauka=Наука|proekty=Проекты|arhiv=Архив|kontakty=Контакты",
        services: "Следующие веб-сервисы доступны для подключения",
        downloads: "Файлы для скачивания",
        towns: "severograd belorechye ozerny-bor novolesye staromost",
        area: [30.0, 50.0, 90.0, 70.0],
    },
    LanguageLexicon {
        code: "ja",
        charsets: &[PageCharset::ShiftJis, PageCharset::EucJp],
        spaced: false,
        words: "市民 地域 河川 道路 計画 会議 学校 図書館 博物館 研究 大学 結果 報告 公開 情報 地図 エネルギー 水道 交通 建物 祭り 品質 開発 新しい その後 また 子ども 若者 仕事 文化 山地 海岸 観測 防災 気象 森林 農業 調査 資料 令和 年度 お知らせ 施設 利用 案内 申請 手続き 環境 保全 公園",
        themes: "tochiriyou=土地利用図|kasen=河川網|douro=道路網|kozui=洪水浸水想定区域|kyokai=行政界|kouku=空中写真|chishitsu=地質図|shinrin=森林計画図|hinanjo=避難所|jishin=震度分布",
        sections: "news=お知らせ|about=概要|service=サービス|map=地図とデータ|research=研究|project=事業|archive=資料室|contact=連絡先",
        services: "次の地図配信サービスを利用できます",
        downloads: "ダウンロード用ファイル",
        towns: "aomizu-shi kitanohara minamigawa tsukimori hamasaki",
        area: [130.0, 31.0, 145.0, 45.0],
    },
    LanguageLexicon {
        code: "zh",
        charsets: &[PageCharset::Gb18030],
        spaced: false,
        words: "城市 地区 河流 道路 规划 会议 学校 图书馆 博物馆 研究 大学 结果 报告 公开 信息 地图 能源 供水 交通 建筑 节日 质量 发展 新的 之后 同时 儿童 青年 工作 文化 山区 海岸 观测 减灾 气象 森林 农业 调查 资料 年度 通知 设施 利用 指南 申请 手续 环境 保护 公园 数据",
        themes: "tudiliyong=土地利用|heliu=河流水系|daolu=道路网络|hongshui=洪水风险区|bianjie=行政区划|yingxiang=遥感影像|dizhi=地质图|senlin=森林资源|turang=土壤类型|dem=数字高程",
        sections: "news=新闻|about=关于我们|services=服务|maps=地图与数据|research=研究|projects=项目|archive=档案|contact=联系我们",
        services: "以下网络服务可供调用",
        downloads: "可下载的文件",
        towns: "qingshan-cheng baihe-zhen linghu donghai-wan yunfeng",
        area: [90.0, 22.0, 122.0, 45.0],
    },
    LanguageLexicon {
        code: "fi",
        charsets: &[PageCharset::Latin1],
        spaced: true,
        words: "kunta kaupunki asukas katu silta koulu kirjasto museo hanke tutkimus yliopisto tulos maakunta tori julkinen avoin aineisto kartta energia vesi jäte liikenne rakennus juhla kokous laatu kehitys kestävä uusi jälkeen aikana välillä myös lisää tieto lapset nuoret työ kulttuuri järvi metsä tie tontti hakemus ympäristö suojelu talvi kesä vuosi päätös valtuusto",
        themes: "maanpeite=Maanpeite|kiinteistot=Kiinteistörajat|joet=Jokiverkosto|tiet=Tieverkko|rajat=Hallinnolliset rajat|ilmakuvat=Ilmakuvat|maapera=Maaperäkartta|metsat=Metsävarat|syvyys=Syvyyskäyrät|melu=Melualueet",
        sections: "uutiset=Uutiset|tietoa=Tietoa meistä|palvelut=Palvelut|kartat=Kartat ja aineistot|tutkimus=Tutkimus|hankkeet=Hankkeet|arkisto=Arkisto|yhteys=Yhteystiedot",
        services: "Seuraavat rajapintapalvelut ovat käytettävissä",
        downloads: "Ladattavat tiedostot",
        towns: "kartta-nord hamelampi kuusivaara ylajoki rantakyla",
        area: [21.0, 60.0, 31.0, 70.0],
    },
];

/// Splits a `slug=Title|slug=Title` list.
pub(crate) fn parse_pairs(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.split('|').filter_map(|entry| entry.split_once('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_enough_of_everything() {
        for lexicon in LEXICONS {
            assert!(lexicon.words.split(' ').count() >= 40, "{}", lexicon.code);
            assert!(parse_pairs(lexicon.themes).count() >= 10, "{}", lexicon.code);
            assert!(parse_pairs(lexicon.sections).count() >= 7, "{}", lexicon.code);
            assert!(lexicon.towns.split(' ').count() >= 5, "{}", lexicon.code);
            assert!(parse_pairs(lexicon.themes).all(|(slug, _)| slug.is_ascii()));
            for charset in lexicon.charsets {
                let sample = lexicon.words;
                assert!(!charset.encode(sample).windows(2).any(|w| w == b"&#"), "{}", lexicon.code);
            }
        }
    }
}
